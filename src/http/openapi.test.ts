import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { send } from '../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { operationsOf } from './openapi/document.ts'

const DOCUMENTS = {
  '/openapi.json': 'application/json',
  '/openapi.yaml': 'application/yaml',
  '/openapi-3.0.json': 'application/json',
  '/interno/openapi.json': 'application/json',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
}

describe('the documents', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ env: { SUPPORT_MAIL: 'ayuda@rodado.test' } })
  })
  after(() => server.stop())

  it('200 and 304: without credentials, and readable from any origin', async () => {
    for (const [path, type] of Object.entries(DOCUMENTS)) {
      const headers = { origin: 'https://editor.example' }
      const { status, headers: got } = await send(server.url, path, { headers })
      assert.deepEqual([status, got['content-type']], [200, type], path)
      assert.equal(got['access-control-allow-origin'], '*', path)
      const again = await send(server.url, path, { headers: { ...headers, 'if-none-match': got.etag ?? '' } })
      assert.deepEqual([again.status, again.headers['access-control-allow-origin']], [304, '*'], path)
    }
  })

  it('204: a preflight is allowed any header, and reads only', async () => {
    for (const path of Object.keys(DOCUMENTS)) {
      const headers = { origin: 'https://editor.example', 'access-control-request-method': 'GET' }
      const { status, headers: got } = await send(server.url, path, { method: 'OPTIONS', headers })
      assert.equal(status, 204, path)
      assert.deepEqual(
        ['origin', 'methods', 'headers'].map((name) => got[`access-control-allow-${name}`]),
        ['*', 'GET, HEAD', '*'],
      )
    }
    const api = await send(server.url, '/v3/colores', { headers: { origin: 'https://editor.example' } })
    assert.equal(api.headers['access-control-allow-origin'], undefined)
  })

  it('200: the YAML twin says the same, and the contact is the one of the settings', async () => {
    const { json } = await send(server.url, '/openapi.json')
    assert.deepEqual(parse((await send(server.url, '/openapi.yaml')).text), json)
    assert.equal(json.info.contact.email, 'ayuda@rodado.test')
  })

  it('200: /openapi-3.0.json has the operations of /openapi.json, /interno/openapi.json those of the site', async () => {
    const idsIn = async (path: string) =>
      operationsOf((await send(server.url, path)).json.paths).map(({ operation }) => operation.operationId)
    assert.deepEqual(await idsIn('/openapi-3.0.json'), await idsIn('/openapi.json'))
    const site = await idsIn('/interno/openapi.json')
    assert.ok(site.includes('recibirConsulta') && !site.includes('verAgencia'))
  })

  it('200: /openapi-3.0.json has no null as an example, which its tools refuse', async () => {
    assert.doesNotMatch((await send(server.url, '/openapi-3.0.json')).text, /"example":null/)
  })

  it('200: the catalogue of APIs names the documents, all of which are there (RFC 9727)', async () => {
    const { json, headers } = await send(server.url, '/.well-known/api-catalog', { method: 'GET' })
    assert.equal(headers.link, '</.well-known/api-catalog>; rel="api-catalog"')
    const [partners, site] = json.linkset
    assert.deepEqual([partners.anchor, site.anchor], ['http://rodado.test/v3', 'http://rodado.test/interno/v1'])
    for (const { href, type } of [...partners['service-desc'], ...site['service-desc']]) {
      const { pathname } = new URL(href)
      const answer = await send(server.url, pathname)
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, type], pathname)
    }
  })
})

describe('home', () => {
  it('200: every list that can be searched has its relation, with every parameter', async () => {
    const server = await startServer()
    try {
      const app = await server.newApp()
      const { _links } = (await app.get('/v3')).json
      const { paths } = (await send(server.url, '/openapi.json')).json
      const searched: string[] = []
      for (const { path, method, operation } of operationsOf(paths)) {
        const [, segment] = /^\/v3\/(\w+)(?:\/\{adminMail\})?$/.exec(path) ?? []
        const names = operation.parameters?.flatMap((each) => ('in' in each && each.in === 'query' ? [each.name] : []))
        const isSearch =
          segment !== 'eventos' &&
          operation.parameters?.some((each) => 'in' in each && each.in === 'query' && !each.required)
        if (method !== 'get' || !segment || !isSearch) continue
        searched.push(segment)
        const { href = '', templated } = _links[`${segment}-buscar`] ?? {}
        assert.equal(templated, true, segment)
        assert.equal(href.split('?')[0], path)
        assert.deepEqual(
          href
            .match(/[?&]\w+=/g)
            ?.map((each: string) => each.slice(1, -1))
            .sort(),
          names?.sort(),
          segment,
        )
      }
      assert.deepEqual(searched.sort(), [
        'agencias',
        'ciudades',
        'colores',
        'consultas',
        'marcas',
        'modelos',
        'operadores',
        'publicaciones',
      ])
      assert.match(_links.modelos.href, /soloMercadoNuevos=\{soloMercadoNuevos\}/)
    } finally {
      await server.stop()
    }
  })
})
