import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

describe('carrocerias', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  it('200: every body style with its codenames', async () => {
    const { json } = await app.get('/v3/carrocerias')
    assert.equal(json._entries.length, 27)
    const pickup = json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'Pick-up')
    assert.ok(pickup.Codenames.includes('pick-up'))
    assert.deepEqual(pickup._links, { self: { href: '/v3/carrocerias/11' }, carrocerias: { href: '/v3/carrocerias' } })
  })

  it('406: body styles have no ref form, anywhere', async () => {
    for (const path of ['/v3/carrocerias', '/v3/carrocerias/11', '/v3/carrocerias/bestmatch?bodystyle=suv'])
      assert.equal((await app.get(path, { accept: REF })).status, 406)
  })

  it('200, 304 and 404: one body style', async () => {
    const { json, headers } = await app.get('/v3/carrocerias/8')
    assert.equal(json.Nombre, 'SUV')
    assert.equal((await app.get('/v3/carrocerias/8', { 'if-none-match': headers.etag ?? '' })).status, 304)
    assert.equal((await app.get('/v3/carrocerias/28')).status, 404)
    assert.deepEqual(Object.keys((await app.get('/v3/carrocerias/once')).json.Errors), ['id'])
  })

  it('200 bestmatch: id, URL, path, name, codename, and as people write it', async () => {
    const spellings = [
      '11',
      'http://rodado.test/v3/carrocerias/11',
      '/v3/carrocerias/11',
      'PICK UP',
      'pickup',
      'pick-up doble cabina',
      'pik up',
    ]
    for (const spelling of spellings) {
      const { json, headers } = await app.get(`/v3/carrocerias/bestmatch?bodystyle=${encodeURIComponent(spelling)}`)
      assert.equal(json.Nombre, 'Pick-up', spelling)
      assert.match(headers.match ?? '', /^rule=[a-z]+, score=[01](\.\d+)?$/)
    }
  })

  it('400 bestmatch: absent, empty, nonsense, another host', async () => {
    for (const query of [
      '',
      '?bodystyle=',
      '?bodystyle=heladera',
      '?bodystyle=http%3A%2F%2Fother.test%2Fv3%2Fcarrocerias%2F11',
    ])
      assert.deepEqual(Object.keys((await app.get(`/v3/carrocerias/bestmatch${query}`)).json.Errors), ['bodystyle'])
  })
})
