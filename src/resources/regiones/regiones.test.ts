import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { namesOf, REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

describe('regiones', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  it('200: the 24 of Argentina, with ISO codes and the link to their cities', async () => {
    const { json } = await app.get('/v3/regiones')
    assert.equal(json._entries.length, 24)
    assert.ok(json._entries.every(({ Iso }: { Iso: string }) => /^AR-[A-Z]$/.test(Iso)))
    const cordoba = json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'Córdoba')
    assert.deepEqual(Object.keys(cordoba), ['Nombre', 'Iso', 'Ciudades', '_links'])
    const { status, json: cities } = await app.get(cordoba.Ciudades._links.self.href)
    assert.equal(status, 200)
    assert.ok(namesOf(cities).includes('Villa Carlos Paz'))
  })

  it('200, 304 and 404: one region, in both forms', async () => {
    const { json } = await app.get('/v3/regiones/bestmatch?state=cba')
    const { href } = json._links.self
    const { headers } = await app.get(href)
    assert.equal((await app.get(href, { 'if-none-match': headers.etag ?? '' })).status, 304)
    assert.deepEqual((await app.get(href, { accept: REF })).json, { href, title: 'Córdoba' })
    assert.equal((await app.get('/v3/regiones', { accept: REF })).json._entries.length, 24)
    assert.equal((await app.get('/v3/regiones/98765')).status, 404)
  })

  it('200 bestmatch: name, ISO code with and without its country, and as people write it', async () => {
    const cases: [string, string][] = [
      ['AR-X', 'Córdoba'],
      ['CORDOBA', 'Córdoba'],
      ['Pcia. de Bs. As.', 'Buenos Aires'],
      ['Capital Federal', 'Ciudad Autónoma de Buenos Aires'],
      ['caba', 'Ciudad Autónoma de Buenos Aires'],
      ['Tierra del Fuego, Antártida e Islas del Atlántico Sur', 'Tierra del Fuego'],
      ['sgo del estero', 'Santiago del Estero'],
    ]
    for (const [state, expected] of cases) {
      const { json, headers } = await app.get(`/v3/regiones/bestmatch?state=${encodeURIComponent(state)}`)
      assert.equal(json.Nombre, expected, state)
      assert.ok(headers.match)
    }
  })

  it('400 bestmatch: absent, empty, nonsense', async () => {
    for (const query of ['', '?state=', '?state=narnia'])
      assert.deepEqual(Object.keys((await app.get(`/v3/regiones/bestmatch${query}`)).json.Errors), ['state'])
  })

  it('200: another COUNTRY has its own', async () => {
    const other = await startServer({ env: { COUNTRY: 'UY', TIME_ZONE: 'America/Montevideo' } })
    try {
      const uruguayan = await other.newApp()
      const names = namesOf((await uruguayan.get('/v3/regiones')).json)
      assert.equal(names.length, 19)
      assert.ok(names.includes('Canelones'))
    } finally {
      await other.stop()
    }
  })
})
