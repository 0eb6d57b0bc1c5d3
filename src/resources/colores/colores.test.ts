import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

const REF = 'application/vnd.service.ref+json'

describe('colores', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  it('200: the list holds every colour, sorted by name in Spanish order, with every member', async () => {
    const { status, json } = await app.get('/v3/colores')
    assert.equal(status, 200)
    assert.equal(json._entries.length, 29)
    const names = json._entries.map((entry: { Nombre: string }) => entry.Nombre)
    assert.deepEqual(names, [...names].sort(new Intl.Collator('es').compare))
    assert.deepEqual(json._links, {
      self: { href: '/v3/colores' },
      buscar: { href: '/v3/colores?q={q}&nombre={nombre}', templated: true },
      bestmatch: { href: '/v3/colores/bestmatch?color={color}', templated: true },
    })
    assert.deepEqual(
      json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'Bordó'),
      {
        Nombre: 'Bordó',
        HtmlColor: '#6D071A',
        _links: { self: { href: '/v3/colores/8' }, colores: { href: '/v3/colores' } },
      },
    )
  })

  it('200: HtmlColor is null where a colour has none', async () => {
    const { json } = await app.get('/v3/colores/28')
    assert.equal(json.Nombre, 'Multicolor')
    assert.equal(json.HtmlColor, null)
  })

  it('200: q takes part of a name, without case and accents', async () => {
    const { json } = await app.get('/v3/colores?q=MARR%C3%93')
    assert.deepEqual(
      json._entries.map((entry: { Nombre: string }) => entry.Nombre),
      ['Marrón'],
    )
    assert.equal(json._links.self.href, '/v3/colores?q=MARR%C3%93')
    const plain = await app.get('/v3/colores?q=marro')
    assert.deepEqual(plain.json._entries, json._entries)
  })

  it('200: nombre takes the full name only; both filters together narrow', async () => {
    assert.equal((await app.get('/v3/colores?nombre=gris')).json._entries.length, 1)
    assert.equal((await app.get('/v3/colores?nombre=gri')).json._entries.length, 0)
    assert.equal((await app.get('/v3/colores?q=azul&nombre=')).json._entries.length, 2, 'a blank filter is none')
    const both = await app.get('/v3/colores?q=oscuro&nombre=gris%20oscuro')
    assert.deepEqual(
      both.json._entries.map((entry: { Nombre: string }) => entry.Nombre),
      ['Gris oscuro'],
    )
  })

  it('200: the ref forms are reference items', async () => {
    const list = await app.get('/v3/colores?q=azul', { accept: REF })
    assert.equal(list.headers['content-type'], REF)
    assert.deepEqual(list.json._entries, [
      { href: '/v3/colores/9', title: 'Azul' },
      { href: '/v3/colores/10', title: 'Azul oscuro' },
    ])
    const one = await app.get('/v3/colores/9', { accept: REF })
    assert.deepEqual(one.json, { href: '/v3/colores/9', title: 'Azul' })
  })

  it('304: list and one, in either form, with the ETag they were given', async () => {
    for (const path of ['/v3/colores', '/v3/colores?q=a', '/v3/colores/9']) {
      for (const accept of ['application/json', REF]) {
        const { headers } = await app.get(path, { accept })
        const again = await app.get(path, { accept, 'if-none-match': headers.etag ?? '' })
        assert.equal(again.status, 304, path)
        assert.equal(again.headers.etag, headers.etag)
      }
    }
  })

  it('404: a colour that does not exist', async () => {
    const { status, headers, json } = await app.get('/v3/colores/4000')
    assert.equal(status, 404)
    assert.equal(headers['content-type'], 'application/problem+json')
    assert.equal(json.Detail, 'No existe ese color.')
  })

  it('400: an id that is not an int32 is named', async () => {
    for (const id of ['abc', '1.5', '2147483648', '-2147483649', '0x10', '1e3', '%20', '99999999999999999999']) {
      const { status, json } = await app.get(`/v3/colores/${id}`)
      assert.equal(status, 400, id)
      assert.deepEqual(Object.keys(json.Errors), ['id'])
    }
  })

  it('400: a filter that is too long or given twice is named', async () => {
    const long = await app.get(`/v3/colores?q=${'a'.repeat(101)}`)
    assert.deepEqual(long.json.Errors, { q: ['Puede tener hasta 100 caracteres.'] })
    const twice = await app.get('/v3/colores?nombre=a&nombre=b')
    assert.deepEqual(twice.json.Errors, { nombre: ['Se envió más de una vez.'] })
  })

  it('200 bestmatch: id, URL, path, name, and as people and paint shops write it, in both forms', async () => {
    const cases: [string, string][] = [
      ['8', 'Bordó'],
      ['http://rodado.test/v3/colores/8', 'Bordó'],
      ['/v3/colores/8', 'Bordó'],
      ['BORDO', 'Bordó'],
      ['gris plata', 'Plata'],
      ['blanco perlado', 'Blanco'],
      ['Azl', 'Azul'],
    ]
    for (const [color, expected] of cases) {
      const { json, headers } = await app.get(`/v3/colores/bestmatch?color=${encodeURIComponent(color)}`)
      assert.equal(json.Nombre, expected, color)
      assert.match(headers.match ?? '', /^rule=[a-z]+, score=[01](\.\d+)?$/)
    }
    assert.deepEqual((await app.get('/v3/colores/bestmatch?color=rojo', { accept: REF })).json, {
      href: '/v3/colores/7',
      title: 'Rojo',
    })
  })

  it('400 bestmatch: absent, empty, nonsense, another host', async () => {
    for (const query of ['', '?color=', '?color=xyzzy', '?color=http%3A%2F%2Fother.test%2Fv3%2Fcolores%2F8'])
      assert.deepEqual(Object.keys((await app.get(`/v3/colores/bestmatch${query}`)).json.Errors), ['color'])
  })
})
