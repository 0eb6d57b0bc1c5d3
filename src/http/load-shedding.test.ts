import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { send } from '../../tests/support/caller.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { setLimits } from '../apps/store.ts'

const MAX_AT_ONCE = 400
const SHARE = 100
const MAX_TOKENS = 8

describe('load shedding: more requests at once than can be served', () => {
  let server: TestServer
  let flooding: TestApp
  let others: TestApp[]
  let release = () => {}
  let released: Promise<void>
  let hanging = 0
  const shut = () => {
    released = new Promise<void>((resolve) => {
      release = resolve
    })
  }
  beforeEach(shut)
  before(async () => {
    server = await startServer({
      routes: (v3) =>
        v3.get('/lenta', { schema: { hide: true } }, async () => {
          hanging++
          await released
          hanging--
          return {}
        }),
    })
    flooding = await server.newApp()
    others = await Promise.all(Array.from({ length: 2 }, () => server.newApp()))
  })
  after(() => server.stop())

  it('429: a client that floods is held to its share, 503: beyond the limit; others are served, and then everybody', async () => {
    let turnedAway = 0
    const flood = Array.from({ length: MAX_AT_ONCE }, async () => {
      const answer = await flooding.get('/v3/lenta')
      if (answer.status === 429) turnedAway++
      return answer
    })
    await until(() => hanging === MAX_AT_ONCE / 2 + SHARE && turnedAway === SHARE)
    const refused = await flooding.get('/v3/agencias')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.match(refused.json.Detail, /en curso a la vez/)
    for (const app of others) assert.equal((await app.get('/v3/agencias')).status, 200)

    const [first, second] = others
    const more = Array.from({ length: SHARE }, () => first?.get('/v3/lenta'))
    await until(() => hanging === MAX_AT_ONCE)
    const full = await second?.get('/v3/agencias')
    assert.deepEqual([full?.status, full?.headers['retry-after']], [503, '5'])
    assert.equal(full?.headers['content-type'], 'application/problem+json')

    release()
    const statuses = (await Promise.all([...flood, ...more])).map((answer) => answer?.status)
    const count = (status: number) => statuses.filter((each) => each === status).length
    assert.deepEqual([count(200), count(429), statuses.length], [MAX_AT_ONCE, SHARE, MAX_AT_ONCE + SHARE])
    await until(async () => (await flooding.get('/v3/agencias')).status === 200)
  })

  /** All the places that one may hold: those that are free to all, and a share. */
  const ALL_OF_ONE = MAX_AT_ONCE / 2 + SHARE

  /** Has an app hold so many places, until `release`; its requests carry those headers. */
  async function hold(count: number, headers: () => Record<string, string>) {
    const before = hanging
    const requests = Array.from({ length: count }, () => send(server.url, '/v3/lenta', { headers: headers() }))
    await until(() => hanging === before + count)
    return async () => {
      release()
      for (const { status } of await Promise.all(requests)) assert.equal(status, 200)
      await until(() => hanging === 0)
    }
  }

  it('429 and 503 come before a signature is used up: the same request, sent again as it is, is taken', async () => {
    const [other, third] = others as [TestApp, TestApp]
    const body = JSON.stringify({ AdminMail: 'dos-veces@agencia.test' })
    const post = (headers: Record<string, string>) =>
      send(server.url, '/v3/agencias', { method: 'POST', headers, body })
    const [crowding, late] = [flooding, third].map((app) => app.signed('POST', '/v3/agencias', { body })) as [
      Record<string, string>,
      Record<string, string>,
    ]
    const letGo = await hold(ALL_OF_ONE, () => flooding.signed('GET', '/v3/lenta'))
    const refused = await post(crowding)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    const others503 = await hold(SHARE, () => other.signed('GET', '/v3/lenta'))
    const full = await post(late)
    assert.deepEqual([full.status, full.headers['retry-after']], [503, '5'])
    assert.equal(full.json.Instance, '/v3/agencias')
    await letGo()
    await others503()
    assert.equal((await post(crowding)).status, 202)
    assert.equal((await post(late)).status, 202)
    assert.equal((await post(late)).json.Extensions.Codigo, 'repetida')
  })

  async function tokenOf({ app, secret }: TestApp): Promise<string> {
    const grant = { grant_type: 'client_credentials', client_id: app.appKey, client_secret: secret }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(grant).toString()
    return (await send(server.url, '/oauth/token', { method: 'POST', headers, body })).json.access_token
  }

  it('503 before authentication, in whatever form the path is sent; health checks are answered', async () => {
    const letGo = await hold(ALL_OF_ONE, () => flooding.signed('GET', '/v3/lenta'))
    const others503 = await hold(SHARE, () => (others[0] as TestApp).signed('GET', '/v3/lenta'))
    for (const target of ['/v3', '/v3?x=1', '/v3/', '/v3/agencias?x=1', 'http://x/v3/agencias', 'HTTP://x/v3?x=/']) {
      const { status, json } = await send(server.url, target)
      const path = target.replace('http://x', '').replace('HTTP://x', '').split('?', 1)[0]
      assert.deepEqual([target, status, json.Instance], [target, 503, path])
    }
    for (const target of ['/v33', '//v3/agencias', '/x/v3/']) assert.equal((await send(server.url, target)).status, 404)
    for (const target of ['/health/live', '/health/ready', 'http://x/health/live'])
      assert.equal((await send(server.url, target)).status, 200)
    assert.equal((await send(server.url, '/interno/v1/avisos')).status, 401)
    await letGo()
    await others503()
  })

  it('429: of a client over its rate too, the answer names the rate', async () => {
    const app = await server.newApp()
    const limits = { ratePerSecond: 1, rateBurst: ALL_OF_ONE + 10, invitesPerDay: null }
    await setLimits(server.store, app.app.appKey, limits)
    const authorization = `Bearer ${await tokenOf(app)}`
    const get = () => send(server.url, '/v3/agencias', { headers: { authorization } })
    await until(async () => (await get()).headers['ratelimit-policy']?.includes(`q=${limits.rateBurst};`))
    const letGo = await hold(ALL_OF_ONE, () => ({ authorization }))
    const refused = await until(async () => {
      const answer = await get()
      return answer.headers.ratelimit?.includes('r=0;') && /su límite/.test(answer.json.Detail) && answer
    })
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    await letGo()
  })

  it('429: of a client that writes its token in many ways, only a few are remembered', async () => {
    const token = await tokenOf(flooding)
    const spelled = (spaces: number) => ({ authorization: `Bearer${' '.repeat(spaces)}${token}` })
    let spaces = 0
    const letGo = await hold(ALL_OF_ONE, () => spelled(++spaces))
    const shed = async () => Number(/shed_total\{status="429"\} (\d+)/.exec(await server.metrics.metrics())?.[1] ?? 0)
    const before = await shed()
    for (let each = 1; each <= spaces; each++)
      assert.equal((await send(server.url, '/v3/agencias', { headers: spelled(each) })).status, 429)
    assert.equal((await shed()) - before, MAX_TOKENS)
    await letGo()
  })

  it('429 before the body has arrived, with the same body and headers', async () => {
    const authorization = `Bearer ${await tokenOf(flooding)}`
    const letGo = await hold(ALL_OF_ONE, () => ({ authorization }))
    const early = await untilAnswered(
      `POST /v3/agencias?x=1 HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`,
    )
    assert.match(early, /^HTTP\/1\.1 429 /)
    const long = await flooding.get('/v3/agencias')
    assert.equal(long.status, 429)
    const [head = '', text = ''] = early.split('\r\n\r\n')
    assert.deepEqual(JSON.parse(text), long.json)
    const names = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(':', 1)[0]?.toLowerCase())
    assert.deepEqual(names.toSorted(), Object.keys(long.headers).concat('keep-alive').toSorted())
    const none = await send(server.url, '/v3/agencias', { headers: { authorization: 'Bearer otra' } })
    assert.equal(none.status, 401)
    await letGo()
    assert.equal((await send(server.url, '/v3/agencias', { headers: { authorization } })).status, 200)
    const line = new RegExp(`"route":"/v3/agencias".*"status":429.*"app":"${flooding.app.appKey}".*"request"`)
    await until(() => line.test(server.logged()))
    await until(() => /"status":429,"count":\d+,"msg":"requests refused because of overload"/.test(server.logged()))
    assert.match(await server.metrics.metrics(), /rodado_http_shed_total\{status="429"\} [1-9]/)
  })

  /** What is answered to the head of a request whose body never comes. */
  const untilAnswered = (head: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname, () => socket.write(`${head}content-length: 10\r\n\r\n`))
      socket.on('error', reject)
      socket.on('data', (data) => {
        resolve(String(data))
        socket.destroy()
      })
    })

  /** Everything that is answered on one connection until the server ends it; each piece leaves when `when` answers are there. */
  const converse = (pieces: { text: string; when?: number }[]) =>
    new Promise<string[]>((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const waiting = [...pieces]
      const statuses = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? []
      let heard = ''
      const socket = connect(Number(port), hostname, say)
      function say(): void {
        for (;;) {
          const [next] = waiting
          if (!next || statuses(heard).length < (next.when ?? 0)) return
          socket.write(next.text)
          waiting.shift()
        }
      }
      socket.setEncoding('latin1').on('data', (text) => {
        heard += text
        say()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(statuses(heard).map((line) => line.slice(-3))))
    })

  it('503: what follows a refused body on its connection is answered as itself, and nothing within that body is', async () => {
    const within = 'GET /v3/agencias HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(5_000) // more than is read at once
    const post = (framing: string) => `POST /v3/agencias HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n`
    const whole = post(`content-length: ${within.length}`)
    const chunks = `${within.length.toString(16)}\r\n${within}\r\n0\r\n\r\n`
    const [half, rest] = [within.slice(0, 100_000), within.slice(100_000)]
    const live = 'GET /health/live HTTP/1.1\r\nhost: x\r\n'
    const last = `${live}connection: close\r\n\r\n`

    const letGo = await hold(ALL_OF_ONE, () => flooding.signed('GET', '/v3/lenta'))
    const others503 = await hold(SHARE, () => (others[0] as TestApp).signed('GET', '/v3/lenta'))
    const inOne = [{ text: whole + within + last }]
    const afterTheRefusal = [{ text: whole }, { text: half, when: 1 }, { text: rest }, { text: last }]
    const inChunks = [{ text: post('transfer-encoding: chunked') + chunks + last }]
    const chunksLater = [{ text: post('transfer-encoding: chunked') }, { text: chunks, when: 1 }, { text: last }]
    for (const pieces of [inOne, afterTheRefusal, inChunks, chunksLater])
      assert.deepEqual(await converse(pieces), ['503', '200'])
    const end = `${post('content-length: 2\r\nconnection: close')}{}`
    const row = `${whole}${within}${whole}${within}${live}\r\n${end}`
    assert.deepEqual(await converse([{ text: row }]), ['503', '503', '200', '503'])
    const both = post('content-length: 5\r\ntransfer-encoding: chunked')
    assert.deepEqual(await converse([{ text: `${both}0\r\n\r\n${last}` }]), ['400'])
    await letGo()
    await others503()
  })

  it('a client that does not read its answers is disconnected, which frees its places', async () => {
    const { app } = server
    const { timeout } = app.server
    assert.ok(timeout > 0, 'in use')
    app.server.timeout = 50
    const { hostname, port } = new URL(server.url)
    const row = Array.from({ length: 50 }, () => written(flooding, 'GET', '/v3/ciudades?q=a')) // more than buffers hold
    const socket = connect({ host: hostname, port: Number(port) }).pause()
    socket.on('error', () => undefined).write(row.join(''))
    const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
    await until(async () => (await connections()) === 1)
    await until(async () => (await connections()) === 0)
    app.server.timeout = timeout
    socket.destroy()
    assert.equal((await flooding.get('/v3/agencias')).status, 200)
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

  it('a client that leaves before the answer frees its place: when pipelined, and during authentication', async () => {
    const [leaving] = others as [TestApp]
    const row = Array.from({ length: 20 }, () => written(leaving, 'GET', '/v3/agencias'))
    for (let left = 0; left < 2 * MAX_AT_ONCE; left += row.length) await leave(row, true)
    const change = () => written(leaving, 'POST', '/v3/agencias', '{"AdminMail":"no es un correo"}')
    await Promise.all(Array.from({ length: SHARE }, () => leave([change()], false)))
    for (const app of [leaving, flooding]) await until(async () => (await app.get('/v3/agencias')).status === 200)
    const responses = await Promise.all(Array.from({ length: 2 * SHARE }, () => leaving.get('/v3/agencias')))
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  })

  it('429: an app whose bodies in progress take 80 MiB; other apps and later requests are served', async () => {
    const [other] = others as [TestApp]
    const body = `{"Valores":[{"make":"fiat"}]}${' '.repeat(1_048_000)}`
    const ask = (app: TestApp) => app.call('POST', '/v3/marcas/bestmatch', { body })
    const { hostname, port } = new URL(server.url)
    const sockets: Socket[] = []
    await until(async () => {
      for (let opened = 0; opened < 20; opened++) {
        const socket = connect(Number(port), hostname).on('error', () => undefined)
        socket.write(written(flooding, 'POST', '/v3/marcas/bestmatch', body).slice(0, -1))
        sockets.push(socket)
      }
      return (await ask(flooding)).status === 429
    })
    assert.notEqual((await ask(other)).status, 429)
    assert.equal((await ask(flooding)).json.Extensions.Codigo, 'solicitudes-en-curso')
    await until(async () => {
      sockets.shift()?.destroy()
      return (await ask(flooding)).status === 200
    })
    // There is room for a few, so what was answered must not count.
    for (let nth = 0; nth < 10; nth++) assert.notEqual((await ask(flooding)).status, 429)
    for (const socket of sockets) socket.destroy()
  })
})
