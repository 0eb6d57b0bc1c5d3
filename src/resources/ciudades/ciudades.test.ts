import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { namesOf, REF } from '../../../tests/support/names.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

describe('ciudades', () => {
  let server: TestServer
  let app: TestApp
  let buenosAires: number
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    const { json } = await app.get('/v3/regiones/bestmatch?state=AR-B')
    buenosAires = Number(json._links.self.href.split('/').at(-1))
  })
  after(() => server.stop())

  it('200: by region, all of its cities, sorted, each with its region', async () => {
    const { status, json } = await app.get(`/v3/ciudades?region=${buenosAires}`)
    assert.equal(status, 200)
    const names = namesOf(json)
    assert.ok(names.length > 900)
    for (const name of ['La Plata', 'Temperley', 'Ramos Mejía', 'Bahía Blanca', 'González Catán'])
      assert.ok(names.includes(name), name)
    assert.deepEqual(names, [...names].sort(new Intl.Collator('es').compare))
    assert.ok(json._entries.every((entry: { Region: string }) => entry.Region === 'Buenos Aires'))
    const [first] = json._entries
    assert.deepEqual(Object.keys(first), ['Nombre', 'Region', '_links'])
    assert.equal(first._links.region.href, `/v3/regiones/${buenosAires}`)
  })

  it('200: by part of the name, anywhere or in a region, without case and accents', async () => {
    const anywhere = namesOf((await app.get('/v3/ciudades?q=TUPUNGATO')).json)
    assert.ok(anywhere.includes('Tupungato'))
    const here = (await app.get(`/v3/ciudades?region=${buenosAires}&q=ramos%20mejia`)).json
    assert.deepEqual(namesOf(here), ['Ramos Mejía'])
    assert.equal(here._links.self.href, `/v3/ciudades?region=${buenosAires}&q=ramos%20mejia`)
    assert.deepEqual(namesOf((await app.get(`/v3/ciudades?region=${buenosAires}&q=tupungato`)).json), [])
  })

  it('200: a blank q beside the region does not change what others read of that region', async () => {
    const { json: region } = await app.get('/v3/regiones/bestmatch?state=AR-T')
    const path = region.Ciudades._links.self.href
    const blank = await app.get(`${path}&q=%20`)
    const { json } = await app.get(path)
    assert.deepEqual(blank.json._entries, json._entries)
    assert.equal(json._links.self.href, path)
  })

  it('400: neither region nor q, a region that is no int32 or does not exist', async () => {
    for (const path of ['/v3/ciudades', '/v3/ciudades?q=', '/v3/ciudades?q=%20', '/v3/ciudades?region=&q='])
      assert.deepEqual(Object.keys((await app.get(path)).json.Errors), ['region', 'q'])
    for (const region of ['x', '1.5', '99999999999', '987654']) {
      const { status, json } = await app.get(`/v3/ciudades?region=${region}`)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(json.Errors), ['region'])
    }
  })

  it('200: one city, in both forms; the ref names its region', async () => {
    const { json: list } = await app.get('/v3/ciudades?q=temperley')
    const { href } = list._entries[0]._links.self
    const one = await app.get(href)
    assert.deepEqual(one.json, list._entries[0])
    const ref = await app.get(href, { accept: REF })
    assert.deepEqual(ref.json, { href, title: 'Temperley (Buenos Aires)' })
    assert.equal((await app.get(href, { 'if-none-match': one.headers.etag ?? '' })).status, 304)
    const refs = await app.get('/v3/ciudades?q=temperley', { accept: REF })
    assert.deepEqual(refs.json._entries, [ref.json])
  })

  it('404: a city that does not exist; 400: an id that is none', async () => {
    assert.equal((await app.get('/v3/ciudades/2')).status, 404)
    assert.deepEqual(Object.keys((await app.get('/v3/ciudades/x')).json.Errors), ['id'])
  })

  it('200 bestmatch: the record with its reason, in both forms, with an ETag', async () => {
    const path = '/v3/ciudades/bestmatch?state=Bs%20As&city=TEMPERLEI'
    const { status, json, headers } = await app.get(path)
    assert.equal(status, 200)
    assert.equal(json.Nombre, 'Temperley')
    assert.match(headers.match ?? '', /^rule=similar, score=0\.\d+$/)
    assert.equal((await app.get(path, { accept: REF })).json.title, 'Temperley (Buenos Aires)')
    assert.equal((await app.get(path, { 'if-none-match': headers.etag ?? '' })).status, 304)
  })

  it('200 bestmatch: a certain city in another state than the given one says so', async () => {
    for (const [state, city, title] of [
      ['Salta', 'Mar del Plata', 'Mar del Plata (Buenos Aires)'],
      ['Córdoba', 'La Plata', 'La Plata (Buenos Aires)'], // not its La Playa
      ['Buenos Aires', 'Capital Federal', 'Ciudad Autónoma de Buenos Aires (Ciudad Autónoma de Buenos Aires)'],
    ]) {
      const query = new URLSearchParams({ state: String(state), city: String(city) })
      const { json, headers } = await app.get(`/v3/ciudades/bestmatch?${query}`, { accept: REF })
      assert.deepEqual([json.title, headers.match], [title, 'rule=other-state, score=0.8'])
    }
  })

  it('200 bestmatch: a city by its id, URL or path in another state than the given one says so', async () => {
    const { json } = await app.get('/v3/ciudades?q=temperley')
    const { href } = json._entries[0]._links.self
    for (const city of [href.split('/').at(-1), `http://rodado.test${href}`, href]) {
      const query = new URLSearchParams({ state: 'AR-X', city })
      const answer = await app.get(`/v3/ciudades/bestmatch?${query}`)
      assert.deepEqual([answer.json.Nombre, answer.headers.match], ['Temperley', 'rule=other-state, score=0.8'])
    }
  })

  it('400 bestmatch: a value of spaces has a code of its own; without candidates none is offered', async () => {
    const blank = await app.get('/v3/ciudades/bestmatch?state=AR-B&city=%20')
    assert.deepEqual([blank.status, blank.json.Extensions.Codigos], [400, { city: ['vacio'] }])
    const unknown = await app.get('/v3/ciudades/bestmatch?state=AR-B&city=zzzzzz')
    assert.deepEqual(unknown.json.Extensions.Candidatos, [])
    assert.doesNotMatch(unknown.json.Errors.city[0], /candidato/)
  })

  it('200 bestmatch: by id, URL and path; 400: by the URL of another host', async () => {
    const { json } = await app.get('/v3/ciudades?q=temperley')
    const { href } = json._entries[0]._links.self
    for (const [city, rule] of [
      [href.split('/').at(-1), 'id'],
      [`http://rodado.test${href}`, 'url'],
      [href, 'path'],
    ]) {
      const answer = await app.get(`/v3/ciudades/bestmatch?state=AR-B&city=${encodeURIComponent(city)}`)
      assert.equal(answer.json.Nombre, 'Temperley')
      assert.equal(answer.headers.match, `rule=${rule}, score=1`)
    }
    const foreign = await app.get(
      `/v3/ciudades/bestmatch?state=AR-B&city=${encodeURIComponent(`http://other.test${href}`)}`,
    )
    assert.deepEqual(Object.keys(foreign.json.Errors), ['city'])
  })

  it('400 bestmatch: what is missing is named, and what is unknown comes with candidates', async () => {
    assert.deepEqual(Object.keys((await app.get('/v3/ciudades/bestmatch')).json.Errors).sort(), ['city', 'state'])
    assert.deepEqual(Object.keys((await app.get('/v3/ciudades/bestmatch?state=&city=x')).json.Errors), ['state'])
    const state = (await app.get('/v3/ciudades/bestmatch?state=Baviera&city=Munich')).json
    assert.deepEqual(Object.keys(state.Errors), ['state'])
    const city = (await app.get('/v3/ciudades/bestmatch?state=Mendoza&city=Hamburgo')).json
    assert.deepEqual(Object.keys(city.Errors), ['city'])
    const many = (await app.get('/v3/ciudades/bestmatch?state=Mendoza&city=San%20Xyz')).json
    assert.ok(Array.isArray(many.Extensions.Candidatos) && many.Extensions.Candidatos.length <= 5)
    for (const candidate of many.Extensions.Candidatos)
      assert.deepEqual(Object.keys(candidate), ['href', 'title', 'Score'])
    const check = await schemaCheck(server)
    check('ValidationProblemDetails', many)
    const wrong = { ...many, Extensions: { ...many.Extensions, Candidatos: [{ href: '/v3/ciudades/1' }] } }
    assert.throws(() => check('ValidationProblemDetails', wrong))
  })
})
