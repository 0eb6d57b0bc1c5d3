import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerFor, send } from '../../tests/support/caller.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'

/** What differs from one answer to the next by its nature. */
const MOVING = new Set(['date', 'x-request-id', 'ratelimit'])

type Headers = Record<string, string | string[] | undefined>

const lasting = (headers: Headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !MOVING.has(name)))

const PATHS = ['/v3/colores', '/v3/colores/9', '/v3/colores/bestmatch?color=colorado', '/v3/ciudades?region=2']

describe('a catalogue answer asked for again', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  it('is the answer that was given first, in its bytes and in its fields', async () => {
    for (const path of PATHS) {
      const first = await app.get(path)
      const again = await app.get(path)
      assert.equal(first.status, 200)
      assert.equal(again.status, 200)
      assert.equal(again.text, first.text)
      assert.deepEqual(lasting(again.headers), lasting(first.headers))
      assert.match(String(again.headers['x-request-id']), /^[\da-f-]{36}$/)
      assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
      assert.match(String(again.headers.ratelimit), /^"app";r=\d+;t=\d+$/)
    }
  })

  it('200 with a token too; 401 with a changed one', async () => {
    const granted = await send(server.url, '/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${app.app.appKey}&client_secret=${app.secret}`,
    })
    const token: string = granted.json.access_token
    const show = (shown: string) => send(server.url, '/v3/colores', { headers: { authorization: `Bearer ${shown}` } })
    const signed = await app.get('/v3/colores')
    const [first, again] = [await show(token), await show(token)]
    assert.deepEqual([first.status, again.status], [200, 200])
    assert.deepEqual([first.text, again.text], [signed.text, signed.text])
    assert.deepEqual(lasting(again.headers), lasting(first.headers))
    assert.equal((await show(`${token}x`)).status, 401)
    assert.equal((await show('')).status, 401)
  })

  it('304 for a client that has it', async () => {
    const other = await server.newApp()
    for (const path of PATHS) {
      const { headers } = await other.get(path)
      const had = await other.get(path, { 'if-none-match': String(headers.etag) })
      const again = await other.get(path, { 'if-none-match': String(headers.etag) })
      assert.equal(had.status, 304)
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
      assert.deepEqual(lasting(again.headers), lasting(had.headers))
      assert.equal(again.headers['content-type'], undefined)
    }
  })

  it('is compressed for a client that accepts it', async () => {
    await app.get('/v3/colores', { 'accept-encoding': 'br' })
    const again = await app.get('/v3/colores', { 'accept-encoding': 'br' })
    assert.equal(again.headers['content-encoding'], 'br')
    assert.match(String(again.headers.etag), /-br"$/)
    assert.equal(again.headers.vary, 'Accept, Accept-Encoding')
  })

  it('is refused to whom the first would have been', async () => {
    await app.get('/v3/colores')
    const [path, foreign] = ['/v3/colores', await server.newApp()]
    const forged = callerFor(server.url, app.app.appKey, foreign.secret)
    const late = callerFor(server.url, app.app.appKey, app.secret, { clock: () => new Date(Date.now() - 3_600_000) })
    assert.equal((await send(server.url, path, {})).status, 401)
    assert.equal((await forged.get(path)).status, 401)
    assert.equal((await late.get(path)).status, 401)
    assert.equal((await app.get(path, { digest: 'sha-256=AAAA' })).status, 401)
    assert.equal((await app.get(path, { accept: 'text/html' })).status, 406)
    assert.equal((await app.call('POST', path)).status, 405)
  })

  it('429: is counted like any other, and tells that it is of test mode', async () => {
    const strict = await startServer({ env: { RATE_PER_SECOND: '1', RATE_BURST: '3' }, nowMs: () => 0 })
    try {
      const slow = await strict.newApp({ modo: 'prueba' })
      const answers = [await slow.get('/v3/colores'), await slow.get('/v3/colores'), await slow.get('/v3/colores')]
      assert.deepEqual(
        answers.map(({ headers }) => [headers.ratelimit?.split(';')[1], headers.modo]),
        [
          ['r=2', 'prueba'],
          ['r=1', 'prueba'],
          ['r=0', 'prueba'],
        ],
      )
      assert.equal((await slow.get('/v3/colores')).status, 429)
    } finally {
      await strict.stop()
    }
  })

  it('is logged and measured by its route', async () => {
    await app.get('/v3/colores/9')
    const { headers } = await app.get('/v3/colores/9')
    const line = server
      .logged()
      .split('\n')
      .find((each) => each.includes(String(headers['x-request-id'])))
    const { method, route, status, app: appKey } = JSON.parse(line ?? '{}')
    assert.deepEqual(
      { method, route, status, appKey },
      { method: 'GET', route: '/v3/colores/:id', status: 200, appKey: app.app.appKey },
    )
    assert.match(await server.metrics.metrics(), /_count\{method="GET",route="\/v3\/colores\/:id",status="200"\} [2-9]/)
  })
})
