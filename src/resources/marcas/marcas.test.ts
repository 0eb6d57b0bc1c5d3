import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { namesOf, REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

describe('marcas', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  it('200: every make, sorted, with every member and the link to its models', async () => {
    const { json } = await app.get('/v3/marcas')
    assert.equal(json._entries.length, 205)
    const fiat = json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'Fiat')
    assert.deepEqual(Object.keys(fiat), ['Nombre', 'Codenames', 'Modelos', '_links'])
    assert.ok(fiat.Codenames.includes('fiat'))
    assert.deepEqual(fiat.Modelos, { _links: { self: { href: '/v3/modelos?marca=56' } } })
    assert.deepEqual(fiat._links, { self: { href: '/v3/marcas/56' }, marcas: { href: '/v3/marcas' } })
  })

  it('200: q takes part of the name or of a codename', async () => {
    assert.deepEqual(namesOf((await app.get('/v3/marcas?q=fer')).json), ['Ferrari'])
    assert.ok(namesOf((await app.get('/v3/marcas?q=mercedes-b')).json).includes('Mercedes-Benz'))
    assert.ok(namesOf((await app.get('/v3/marcas?q=citroen')).json).includes('Citroën'))
    assert.ok(namesOf((await app.get('/v3/marcas?q=VW')).json).includes('Volkswagen'))
  })

  it('200: soloMercadoNuevos keeps those sold new; false is the same as leaving it out', async () => {
    const sold = namesOf((await app.get('/v3/marcas?soloMercadoNuevos=true')).json)
    assert.ok(sold.includes('Toyota') && !sold.includes('Rastrojero'))
    const all = await app.get('/v3/marcas')
    assert.deepEqual(namesOf((await app.get('/v3/marcas?soloMercadoNuevos=True')).json), sold)
    for (const query of ['soloMercadoNuevos=false', 'soloMercadoNuevos=False', 'q=&soloMercadoNuevos='])
      assert.equal((await app.get(`/v3/marcas?${query}`)).text, all.text)
    assert.deepEqual(namesOf((await app.get('/v3/marcas?soloMercadoNuevos=true&q=rastro')).json), [])
  })

  it('400: soloMercadoNuevos that is neither true nor false, q that is too long', async () => {
    for (const value of ['1', 'si', 'trueish']) {
      const { status, json } = await app.get(`/v3/marcas?soloMercadoNuevos=${value}`)
      assert.equal(status, 400)
      assert.deepEqual(json.Errors, { soloMercadoNuevos: ['Debe ser true o false.'] })
    }
    assert.deepEqual(Object.keys((await app.get(`/v3/marcas?q=${'x'.repeat(101)}`)).json.Errors), ['q'])
  })

  it('200 and 404: one make', async () => {
    assert.equal((await app.get('/v3/marcas/125')).json.Nombre, 'Mercedes-Benz')
    assert.deepEqual((await app.get('/v3/marcas/125', { accept: REF })).json, {
      href: '/v3/marcas/125',
      title: 'Mercedes-Benz',
    })
    assert.equal((await app.get('/v3/marcas/9999')).status, 404)
  })

  it('200 bestmatch: by every spelling, in both forms', async () => {
    const cases: [string, string][] = [
      ['125', 'id'],
      ['http://rodado.test/v3/marcas/125', 'url'],
      ['/v3/marcas/125', 'path'],
      ['mercedes benz', 'name'],
      ['mercedes-benz', 'name'],
    ]
    for (const [make, rule] of cases) {
      const { json, headers } = await app.get(`/v3/marcas/bestmatch?make=${encodeURIComponent(make)}`)
      assert.equal(json.Nombre, 'Mercedes-Benz', make)
      assert.match(headers.match ?? '', new RegExp(`^rule=(${rule}|codename), score=1$`))
    }
    assert.equal((await app.get('/v3/marcas/bestmatch?make=VW', { accept: REF })).json.title, 'Volkswagen')
    assert.match(
      (await app.get('/v3/marcas/bestmatch?make=volksvagen')).headers.match ?? '',
      /^rule=(similar|alias), score=0\.\d+$/,
    )
  })

  it('400 bestmatch: nothing given, nothing like it, or the URL of another host', async () => {
    for (const make of [
      '',
      'zapatillas',
      '%20',
      'http%3A%2F%2Fother.test%2Fv3%2Fmarcas%2F125',
      '%2Fv3%2Fcolores%2F1',
    ]) {
      const { status, json } = await app.get(`/v3/marcas/bestmatch?make=${make}`)
      assert.equal(status, 400, make)
      assert.deepEqual(Object.keys(json.Errors), ['make'])
    }
    assert.equal((await app.get('/v3/marcas/bestmatch')).status, 400)
  })
})
