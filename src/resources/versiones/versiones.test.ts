import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { namesOf, REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

describe('versiones', () => {
  let server: TestServer
  let app: TestApp
  let etios: string
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    const { json } = await app.get('/v3/modelos/bestmatch?make=toyota&model=etios')
    etios = json.Versiones._links.self.href
  })
  after(() => server.stop())

  const ask = (query: Record<string, string>, headers = {}) =>
    app.get(`/v3/versiones/bestmatch?${new URLSearchParams(query)}`, headers)

  it('200: the versions of a model, sorted, with every member', async () => {
    const { status, json } = await app.get(etios)
    assert.equal(status, 200)
    const names = namesOf(json)
    assert.deepEqual(names, [...names].sort(new Intl.Collator('es').compare))
    const xls = json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'XLS 1.5 103 cv 6MT 5p')
    const { _links: links, Carroceria: body, ...facts } = xls
    assert.deepEqual(facts, {
      Marca: 'Toyota',
      Modelo: 'Etios',
      Nombre: 'XLS 1.5 103 cv 6MT 5p',
      Desde: 2016,
      Hasta: 2023,
      Potencia: 103,
      Cilindrada: 1496,
      Propulsion: 'nafta',
      Transmision: 'manual',
    })
    assert.equal(body.title, 'Hatchback')
    assert.equal(links.versiones.href, etios)
    assert.equal((await app.get(links.modelo.href)).json.Nombre, 'Etios')
  })

  it('200: none for a model whose versions we do not know', async () => {
    const { json } = await app.get('/v3/modelos/bestmatch?make=fiat&model=duna')
    assert.deepEqual((await app.get(json.Versiones._links.self.href)).json._entries, [])
  })

  it('400: no model, one that does not exist', async () => {
    for (const path of ['/v3/versiones', '/v3/versiones?modelo=', '/v3/versiones?modelo=7', '/v3/versiones?modelo=x'])
      assert.deepEqual(Object.keys((await app.get(path)).json.Errors), ['modelo'], path)
  })

  it('200 and 404: one version, in both forms, 304 with its ETag', async () => {
    const { json } = await app.get(etios)
    const { href } = json._entries[0]._links.self
    const one = await app.get(href)
    assert.deepEqual(one.json, json._entries[0])
    assert.equal((await app.get(href, { 'if-none-match': one.headers.etag ?? '' })).status, 304)
    const ref = (await app.get(href, { accept: REF })).json
    assert.deepEqual(ref, { href, title: `Toyota Etios ${one.json.Nombre}` })
    assert.equal((await app.get(etios, { accept: REF })).json._entries.length, json._entries.length)
    assert.equal((await app.get('/v3/versiones/1')).status, 404)
  })

  it('200 bestmatch: a trim, with the criteria echoed, the match and what came near', async () => {
    const query = { make: 'Toyota', model: 'etios', trim: 'XLS 1.5 6M/T 5P', year: '2019' }
    const { status, json, headers } = await ask(query)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json), ['Criteria', 'Modelo', 'Match', 'Candidates', '_links'])
    assert.deepEqual(json.Criteria, {
      make: 'Toyota',
      model: 'etios',
      trim: 'XLS 1.5 6M/T 5P',
      year: 2019,
      bodystyle: null,
      transmissionType: null,
      displacement: null,
      power: null,
      fuelType: null,
    })
    assert.equal(json.Modelo.title, 'Toyota Etios')
    assert.equal(json.Match.Nombre, 'XLS 1.5 103 cv 6MT 5p')
    assert.deepEqual(Object.keys(json.Candidates[0]), ['href', 'title', 'Score'])
    assert.equal(json.Candidates[0].href, json.Match._links.self.href)
    assert.ok(json.Candidates.length <= 5)
    assert.match(headers.match ?? '', /^rule=(name|part), score=(1|0\.\d+)$/)
    assert.equal((await app.get(json._links.self.href)).text, JSON.stringify(json))
    assert.equal((await ask(query, { 'if-none-match': headers.etag ?? '' })).status, 304)
  })

  it('200 bestmatch: technical data alone, and the version written in the model', async () => {
    const technical = { make: 'VW', model: 'Polo', year: '2021', displacement: '1.4', power: '150 cv' }
    const gts = await ask(technical)
    assert.equal(gts.json.Match.Nombre, '1.4 TSI GTS AT')
    assert.match(gts.headers.match ?? '', /^rule=technical, /)
    const inside = await ask({ make: 'Toyota', model: 'HILUX 4X4 D/C SRX 2.8 TDI 6 A/T', year: '2022' })
    assert.equal(inside.json.Match.Nombre, 'SRX 2.8 TDI 204 cv 4x4 AT')
  })

  it('200 bestmatch: null where it is not certain, or what was said contradicts itself', async () => {
    const vague = await ask({ make: 'Toyota', model: 'Etios', trim: 'XLS' })
    assert.equal(vague.json.Match, null)
    assert.equal(vague.json.Candidates.length, 5)
    assert.equal(vague.headers.match, undefined)
    const electric = await ask({ make: 'Renault', model: 'Kwid', trim: 'Outsider', fuelType: 'diesel' })
    assert.deepEqual([electric.json.Match, electric.json.Candidates], [null, []])
    const unknown = await ask({ make: 'Fiat', model: 'Duna', trim: 'SD' })
    assert.deepEqual([unknown.json.Match, unknown.json.Candidates], [null, []])
  })

  it("200 bestmatch: by the id, URL or path of a version; another model's is only a candidate", async () => {
    const { href } = (await app.get(etios, { accept: REF })).json._entries[0]
    for (const trim of [href, `http://rodado.test${href}`, href.split('/').at(-1)])
      assert.equal((await ask({ make: 'Toyota', model: 'Etios', trim })).json.Match._links.self.href, href)
    const other = (await ask({ make: 'Toyota', model: 'Corolla', trim: href })).json
    assert.deepEqual([other.Match, other.Candidates[0].href], [null, href])
  })

  it('400 bestmatch: a make or model that is missing or not understood, a year that is none; 406: a ref', async () => {
    assert.deepEqual(Object.keys((await app.get('/v3/versiones/bestmatch')).json.Errors).sort(), ['make', 'model'])
    assert.deepEqual(Object.keys((await ask({ make: 'xyzzy', model: 'Gol' })).json.Errors), ['make'])
    assert.deepEqual(Object.keys((await ask({ make: 'Ford', model: 'Gol' })).json.Errors), ['model'])
    assert.deepEqual(Object.keys((await ask({ make: 'Ford', model: 'Ka', year: '19x' })).json.Errors), ['year'])
    assert.equal((await ask({ make: 'Ford', model: 'Ka' }, { accept: REF })).status, 406)
  })
})
