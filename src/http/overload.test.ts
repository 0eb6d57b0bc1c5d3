import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'

const MOST_AT_ONCE = 600
const SHARE = 150

describe('overload: more requests at once than can be served', () => {
  let server: TestServer
  let flooding: TestApp
  let others: TestApp[]
  let release = () => {}
  let hanging = 0
  before(async () => {
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    server = await startServer({
      routes: (v3) =>
        v3.get('/lenta', { schema: { hide: true } }, async () => {
          hanging++
          await released
          return {}
        }),
    })
    flooding = await server.newApp()
    others = await Promise.all(Array.from({ length: 2 }, () => server.newApp()))
  })
  after(() => server.stop())

  it('429: whoever floods is held to a share, 503: beyond all places; others are served, and then everybody', async () => {
    let turnedAway = 0
    const flood = Array.from({ length: MOST_AT_ONCE }, async () => {
      const answer = await flooding.get('/v3/lenta')
      if (answer.status === 429) turnedAway++
      return answer
    })
    await until(() => hanging === MOST_AT_ONCE / 2 + SHARE && turnedAway === SHARE)
    const refused = await flooding.get('/v3/agencias')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.match(refused.json.Detail, /en curso a la vez/)
    for (const app of others) assert.equal((await app.get('/v3/agencias')).status, 200)

    const [first, second] = others
    const more = Array.from({ length: SHARE }, () => first?.get('/v3/lenta'))
    await until(() => hanging === MOST_AT_ONCE)
    const full = await second?.get('/v3/agencias')
    assert.deepEqual([full?.status, full?.headers['retry-after']], [503, '5'])
    assert.equal(full?.headers['content-type'], 'application/problem+json')

    release()
    const statuses = (await Promise.all([...flood, ...more])).map((answer) => answer?.status)
    const count = (status: number) => statuses.filter((each) => each === status).length
    assert.deepEqual([count(200), count(429), statuses.length], [MOST_AT_ONCE, SHARE, MOST_AT_ONCE + SHARE])
    await until(async () => (await flooding.get('/v3/agencias')).status === 200)
  })

  /** Sends as many requests as there are texts over one connection, and leaves without an answer. */
  const leave = (requests: string[], afterFirstByte: boolean) =>
    new Promise<void>((resolve) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname, () => {
        socket.write(requests.join(''))
        if (!afterFirstByte) setImmediate(() => socket.resetAndDestroy())
      })
      socket.on('error', () => undefined)
      socket.on('data', () => socket.destroy())
      socket.on('close', () => resolve())
    })

  const written = (app: TestApp, method: string, path: string, body = '') => {
    const headers = { host: 'x', ...app.signed(method, path, body ? { body } : {}) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = body ? `content-length: ${Buffer.byteLength(body)}\r\n` : ''
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`
  }

  it('whoever leaves before the answer takes no place with them: not in a row of requests, not while one is proven', async () => {
    const [leaving] = others as [TestApp]
    const row = Array.from({ length: 20 }, () => written(leaving, 'GET', '/v3/agencias'))
    for (let left = 0; left < 2 * MOST_AT_ONCE; left += row.length) await leave(row, true)
    const change = () => written(leaving, 'POST', '/v3/agencias', '{"AdminMail":"no es un correo"}')
    await Promise.all(Array.from({ length: SHARE }, () => leave([change()], false)))
    for (const app of [leaving, flooding]) await until(async () => (await app.get('/v3/agencias')).status === 200)
    const asked = await Promise.all(Array.from({ length: 2 * SHARE }, () => leaving.get('/v3/agencias')))
    assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([200]))
  })
})
