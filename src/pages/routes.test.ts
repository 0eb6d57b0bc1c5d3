import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { send } from '../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { CODE_LIST } from '../http/codes.ts'
import { handleErrors } from '../http/errors.ts'
import { Limiter } from '../http/limits.ts'
import { PROBLEMS } from '../http/problems.ts'
import { SLUGS } from './docs/guide/chapters.ts'
import { protectPages } from './security.ts'

const NAMES = Object.keys(PROBLEMS)
const GUIDE = ['/docs/guia', ...SLUGS.map((slug) => `/docs/guia/${slug}`)]
const PAGES = ['/', '/docs', ...GUIDE, '/docs/buscar', '/problemas', ...NAMES.map((name) => `/problemas/${name}`)]

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const get = (path: string, headers = {}) => send(server.url, path, { headers })
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const hrefs = (html: string) => matches(html, /href="([^"]+)"/g).map((href) => href.replaceAll('&amp;', '&'))
const ids = (html: string) => matches(html, /\sid="([^"]+)"/g)

test('200: every page is HTML in Spanish that loads nothing from elsewhere; its scripts are ours and run after the first paint', async () => {
  for (const path of PAGES) {
    const { status, headers, text } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; .*frame-ancestors 'none'/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.match(text, /^<!doctype html>\n<html lang="es">/)
    const others = text.replace(/<script src="\/assets\/\w+\.js\?v=\w+" defer><\/script>/g, '')
    assert.doesNotMatch(others, /<script|<iframe|\sstyle="|\ssrc="|\son\w+="/)
    assert.doesNotMatch(text, /<link[^>]+href="(?!\/assets\/)/)
  }
})

test('200: every link of every page leads to something, and every anchor to its place', async () => {
  const pages = new Map<string, string>()
  for (const path of PAGES) pages.set(path, (await get(path)).text)
  const links = new Set(
    [...pages].flatMap(([path, html]) => hrefs(html).map((href) => new URL(href, `http://x${path}`).href)),
  )
  for (const link of links) {
    const { pathname, search, hash } = new URL(link)
    const html = pages.get(pathname)
    if (html === undefined) assert.equal((await get(pathname + search)).status, 200, link)
    else if (hash) assert.ok(ids(html).includes(decodeURIComponent(hash.slice(1))), link)
  }
})

test('200: no id stands twice on a page', async () => {
  for (const path of PAGES) {
    const found = ids((await get(path)).text)
    assert.deepEqual(found, [...new Set(found)], path)
  }
})

test('200: /docs shows every operation, parameter and schema of /openapi.json', async () => {
  const { json: document } = await get('/openapi.json')
  const { text: html } = await get('/docs')
  const found = new Set(ids(html))
  for (const [path, item] of Object.entries<object>(document.paths)) {
    assert.ok(html.includes(`<code>${path}</code>`), path)
    for (const operation of Object.values(item)) {
      assert.ok(found.has(`operacion-${operation.operationId}`), operation.operationId)
      for (const { name } of operation.parameters ?? []) assert.ok(!name || html.includes(`<code>${name}</code>`), name)
    }
  }
  for (const name of Object.keys(document.components.schemas)) assert.ok(found.has(`esquema-${name}`), name)
})

test('200: every problem has its page, with an example in the shape of the specification', async () => {
  for (const [name, { status, title }] of Object.entries(PROBLEMS)) {
    const { text } = await get(`/problemas/${name}`)
    const shown = text
      .replace(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    assert.ok(shown.includes(title), name)
    const body = JSON.parse(/\n(\{\n[\s\S]*?\n\})/.exec(shown)?.[1] ?? '')
    assert.equal(body.Type, `${server.config.publicUrl}/problemas/${name}`)
    assert.equal(body.Status, status)
    const members = ['Type', 'Title', 'Status', 'Detail', 'Instance', 'Extensions']
    assert.deepEqual(Object.keys(body), status === 400 || status === 409 ? ['Errors', ...members] : members)
  }
})

test('200: the pages explain every code: all of them in the list, each on the page of its problem', async () => {
  const all = ids((await get('/problemas')).text)
  for (const name of NAMES) {
    const own = ids((await get(`/problemas/${name}`)).text)
    for (const { code } of CODE_LIST.filter(({ problem }) => problem === name))
      assert.ok(all.includes(code) && own.includes(code), code)
  }
})

test('200: /problemas gives programs every code with its status, and browsers a page', async () => {
  const { headers, json } = await get('/problemas', { accept: 'application/json' })
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.match(headers.vary ?? '', /^Accept\b/)
  const type = (name: string) => `${server.config.publicUrl}/problemas/${name}`
  const statuses = json._entries.map(({ Codigo, Status, Type }: Record<string, unknown>) => [Codigo, Status, Type])
  assert.equal(statuses.length, CODE_LIST.length)
  for (const expected of [
    ['requerido', 400, type('solicitud-invalida')],
    ['tiempo-agotado', 408, type('solicitud-invalida')],
    ['expect-no-admitido', 417, type('solicitud-invalida')],
    ['encabezados-muy-grandes', 431, type('solicitud-invalida')],
    ['no-existe', 404, type('no-existe')],
  ])
    assert.ok(
      statuses.some((each: unknown[]) => isDeepStrictEqual(each, expected)),
      String(expected),
    )
  for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8'])
    assert.match((await get('/problemas', { accept })).headers['content-type'] ?? '', /^text\/html/)
  const etag = headers.etag ?? ''
  assert.equal((await get('/problemas', { accept: 'application/json', 'if-none-match': etag })).status, 304)
})

test('a code is short kebab-case, and stands in the list once', () => {
  const codes = CODE_LIST.map(({ code }) => code)
  assert.deepEqual(codes, [...new Set(codes)])
  for (const code of codes) assert.match(code, /^(?=.{3,30}$)[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('404: an unknown problem gets a page that lists the known ones, and shows its name as text', async () => {
  const { status, headers, text } = await get(`/problemas/${encodeURIComponent('<b>nada</b>')}`)
  assert.equal(status, 404)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.ok(text.includes('&lt;b>nada') || text.includes('&lt;b&gt;nada'))
  for (const name of NAMES) assert.ok(hrefs(text).includes(`/problemas/${name}`), name)
  assert.equal((await get('/problemas/toString')).status, 404)
})

test('304: a page, the document and the stylesheet are sent once', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    const { headers } = await get(path)
    assert.equal((await get(path, { 'if-none-match': headers.etag })).status, 304, path)
  }
  const [href = ''] = hrefs((await get('/')).text).filter((each) => each.startsWith('/assets/rodado.css'))
  assert.match(href, /\?v=[0-9a-f]{12}$/)
  assert.match((await get(href)).headers['cache-control'] ?? '', /immutable/)
  assert.equal((await get('/assets/rodado.css')).headers['cache-control'], 'no-cache')
  assert.equal((await get('/assets/rodado.css?v=old')).headers['cache-control'], 'no-cache')
})

test('200: pages travel compressed', async () => {
  const { headers, bytes } = await get('/docs', { 'accept-encoding': 'br' })
  assert.equal(headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(bytes).toString(), (await get('/docs')).text)
})

test('405: a page is read, with HEAD too, and OPTIONS says so', async () => {
  const posted = await send(server.url, '/docs', { method: 'POST' })
  assert.equal(posted.status, 405)
  assert.equal(posted.headers.allow, 'GET, HEAD, OPTIONS')
  const head = await send(server.url, '/docs', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text], [200, ''])
  const options = await send(server.url, '/docs', { method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS'])
})

test('429: an address that asks for too many pages gets Retry-After', async () => {
  const app = Fastify()
  handleErrors(app, 'http://rodado.test')
  let now = 0
  const limiter = new Limiter({ perSecond: 1, burst: 2 }, () => now)
  protectPages(app, limiter)
  app.get('/', () => 'a page')
  app.get('/problemas', () => 'another')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const statuses = [await send(url, '/'), await send(url, '/problemas')].map(({ status }) => status)
    assert.deepEqual(statuses, [200, 200])
    const refused = await send(url, '/')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    now = 2000
    assert.equal((await send(url, '/?formato=csv')).status, 200)
    const afterCsv = await send(url, '/')
    assert.deepEqual([afterCsv.status, afterCsv.headers['retry-after']], [429, '39'], 'a CSV counts as 40 pages')
  } finally {
    await app.close()
  }
})

test('400, 404, 405: an address that is nobody’s is a page for people, and a problem for programs', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const paths: [string, number][] = [
    ['/cuenta/consultas?q=%00', 400],
    ['/aviso/%ff', 400],
    ['/nada', 404],
  ]
  for (const [path, expected] of paths) {
    const shown = await get(path, browser)
    assert.deepEqual([shown.status, shown.headers['content-type']], [expected, 'text/html; charset=utf-8'], path)
    assert.match(shown.headers['content-security-policy'] ?? '', /^default-src 'none'/)
    assert.match(shown.text, /^<!doctype html>\n<html lang="es">/)
    const response = await get(path)
    assert.deepEqual([response.status, response.headers['content-type']], [expected, 'application/problem+json'], path)
  }
  assert.match((await get('/cuenta/consultas?q=%00', browser)).text, /La dirección no se puede decodificar/)
  const wrong = await send(server.url, '/docs', { method: 'DELETE', headers: browser })
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD, OPTIONS'])
  assert.equal((await get('/v3/nada', browser)).headers['content-type'], 'application/problem+json')
})

test('303, 405: a browser that returns to the answer to a form gets the page above it', async () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const above: [string, string][] = [
    ['/consola/apps/x/equipo', '/consola/apps/x'],
    ['/cuenta/publicaciones/asignar?a=b', '/cuenta/publicaciones'],
    ['/cuenta/consultas/x/recordatorio', '/cuenta/consultas/x'],
    ['/cuenta/consultas/asignar', '/cuenta/consultas'], // not an inquiry of that id
    ['/consola/supresiones/suprimir', '/consola/supresiones'],
  ]
  for (const [path, expected] of above) {
    const { status, headers } = await get(path, browser)
    assert.deepEqual([status, headers.location], [303, expected])
    assert.equal((await get(path)).status, 405)
  }
  for (const path of ['/idioma', '/oauth/token', '//consola/apps/x/equipo'])
    assert.ok([404, 405].includes((await get(path, browser)).status), path)
})
