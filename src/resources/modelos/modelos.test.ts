import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { namesOf, REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

describe('modelos', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  const ask = (query: Record<string, string>, headers = {}) =>
    app.get(`/v3/modelos/bestmatch?${new URLSearchParams(query)}`, headers)

  it('200: the link of a make leads to its models, sorted, with every member', async () => {
    const { json: marca } = await app.get('/v3/marcas/bestmatch?make=toyota')
    const { status, json } = await app.get(marca.Modelos._links.self.href)
    assert.equal(status, 200)
    const names = namesOf(json)
    assert.deepEqual(names, [...names].sort(new Intl.Collator('es').compare))
    const etios = json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'Etios')
    assert.deepEqual(Object.keys(etios), ['Marca', 'Nombre', 'Codename', 'Carrocerias', 'Versiones', '_links'])
    assert.deepEqual([etios.Marca, etios.Codename], ['Toyota', 'etios'])
    assert.deepEqual(
      etios.Carrocerias.map(({ title }: { title: string }) => title),
      ['Hatchback', 'Sedán'],
    )
    assert.equal((await app.get(etios.Carrocerias[0].href)).json.Nombre, 'Hatchback')
    assert.equal((await app.get(etios._links.marca.href)).json.Nombre, 'Toyota')
    assert.ok((await app.get(etios.Versiones._links.self.href)).json._entries.length > 10)
  })

  it('200: all of them, more than 600, with an ETag that answers 304', async () => {
    const all = await app.get('/v3/modelos')
    assert.ok(all.json._entries.length > 600)
    assert.equal((await app.get('/v3/modelos', { 'if-none-match': all.headers.etag ?? '' })).status, 304)
    const refs = (await app.get('/v3/modelos', { accept: REF })).json._entries
    assert.equal(refs.length, all.json._entries.length)
    assert.deepEqual(Object.keys(refs[0]), ['href', 'title'])
  })

  it('200: q takes part of the make and the name; soloMercadoNuevos keeps those sold new', async () => {
    assert.deepEqual(namesOf((await app.get('/v3/modelos?q=COROLLA%20C')).json), ['Corolla Cross'])
    const gol = (await app.get('/v3/modelos?q=volkswagen%20gol&soloMercadoNuevos=')).json
    assert.ok(namesOf(gol).includes('Gol Trend') && namesOf(gol).includes('Golf'))
    const fiat = namesOf((await app.get('/v3/modelos?marca=56&soloMercadoNuevos=true')).json)
    assert.ok(fiat.includes('Cronos') && !fiat.includes('Duna'))
    assert.deepEqual(namesOf((await app.get('/v3/modelos?marca=56&soloMercadoNuevos=true&q=duna')).json), [])
  })

  it('400: a make that does not exist or is no int32', async () => {
    for (const marca of ['99999', 'x', '1.5']) {
      const { status, json } = await app.get(`/v3/modelos?marca=${marca}`)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(json.Errors), ['marca'])
    }
  })

  it('200 and 404: one model, in both forms; the ref names its make', async () => {
    const { json } = await app.get('/v3/modelos?q=peugeot%20208')
    const { href } = json._entries[0]._links.self
    const one = await app.get(href)
    assert.deepEqual(one.json, json._entries[0])
    assert.deepEqual((await app.get(href, { accept: REF })).json, { href, title: 'Peugeot 208' })
    assert.equal((await app.get('/v3/modelos/1')).status, 404)
    assert.deepEqual(Object.keys((await app.get('/v3/modelos/x')).json.Errors), ['id'])
  })

  it('200 bestmatch: as dealers write it, with the make or the version inside', async () => {
    for (const [make, model, title] of [
      ['Toyota', 'ETIOS XLS 1.5 6MT', 'Toyota Etios'],
      ['VW', 'vw amarok', 'Volkswagen Amarok'],
      ['Chevrolet', 'S 10', 'Chevrolet S10'],
      ['Peugeot', '208', 'Peugeot 208'],
      ['volksvagen', 'Goltrend', 'Volkswagen Gol Trend'],
      ['Volkswagen Gol Trend 1.6', 'Volkswagen Gol Trend 1.6', 'Volkswagen Gol Trend'],
      ['Great Wall', 'Haval H6', 'Haval H6'],
    ] as const) {
      const { status, json, headers } = await ask({ make, model }, { accept: REF })
      assert.equal(status, 200, model)
      assert.equal(json.title, title)
      assert.match(headers.match ?? '', /^rule=(name|alias|similar|codename), score=(1|0\.\d+)$/)
    }
  })

  it('200 bestmatch: by id, URL and path; 304 with its ETag; OPTIONS tells the methods', async () => {
    const { href } = (await ask({ make: 'fiat', model: 'cronos' }, { accept: REF })).json
    for (const [model, rule] of [
      [href.split('/').at(-1), 'id'],
      [`http://rodado.test${href}`, 'url'],
      [href, 'path'],
    ]) {
      const answer = await ask({ make: 'fiat', model })
      assert.equal(answer.json.Nombre, 'Cronos')
      assert.equal(answer.headers.match, `rule=${rule}, score=1`)
      const again = await ask({ make: 'fiat', model }, { 'if-none-match': answer.headers.etag ?? '' })
      assert.equal(again.status, 304)
    }
    const options = await app.call('OPTIONS', href)
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
  })

  it('400 bestmatch: what is missing, unknown or of another make is named, with what came near', async () => {
    assert.deepEqual(Object.keys((await app.get('/v3/modelos/bestmatch')).json.Errors).sort(), ['make', 'model'])
    const make = (await ask({ make: 'zapatillas', model: 'Corolla' })).json
    assert.deepEqual(Object.keys(make.Errors), ['make'])
    const other = (await ask({ make: 'Ford', model: '208' })).json
    assert.deepEqual(Object.keys(other.Errors), ['model'])
    assert.deepEqual(
      other.Extensions.Candidatos.map(({ title }: { title: string }) => title),
      ['Peugeot 208'],
    )
    const several = (await ask({ make: 'Mercedes', model: 'Clase' })).json
    assert.equal(several.Extensions.Candidatos.length, 5)
    assert.deepEqual(Object.keys(several.Extensions.Candidatos[0]), ['href', 'title', 'Score'])
    const { href } = (await ask({ make: 'fiat', model: 'cronos' }, { accept: REF })).json
    assert.match((await ask({ make: 'ford', model: href })).json.Errors.model[0], /Cronos es de Fiat/)
    for (const model of ['http://other.test/v3/modelos/100001', '/v3/marcas/1', '/v3/modelos/7', '1.6 nafta', 'N/A'])
      assert.equal((await ask({ make: 'ford', model })).status, 400, model)
  })
})
