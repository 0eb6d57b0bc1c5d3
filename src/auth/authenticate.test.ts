import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callerFor, send } from '../../tests/support/caller.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { rotateSecret } from '../apps/secrets.ts'
import { disableApp } from '../apps/store.ts'

const BODY = '{"Nombre":"x"}'

describe('signed requests', () => {
  let server: TestServer
  let app: TestApp
  const now = new Date('2025-03-04T12:00:00Z')
  before(async () => {
    server = await startServer({ clock: () => now })
    app = await server.newApp()
  })
  after(() => server.stop())

  const refused = async (expected: string, path: string, sent: Parameters<typeof send>[2]) => {
    const answer = await send(server.url, path, sent)
    assert.equal(answer.status, 401)
    assert.equal(answer.json.Extensions.Codigo, expected)
    assert.match(answer.headers['www-authenticate'] ?? '', /^SVC-HMAC realm="rodado", Bearer/)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    return answer
  }

  it('200: a signature by Date, by X-SVC-Date, and in ISO 8601', async () => {
    assert.equal((await app.get('/v3')).status, 200)
    assert.equal((await app.get('/v3', { 'x-svc-date': now.toISOString() })).status, 200)
    assert.equal(
      (await app.get('/v3', { date: 'Mon, 01 Jan 2001 00:00:00 GMT', 'x-svc-date': now.toUTCString() })).status,
      200,
    )
  })

  it('200: the query is signed as it was sent', async () => {
    assert.equal((await app.get('/v3/colores?q=%41zul&&x=%2f')).status, 200)
  })

  it('401 sin-credenciales: none, or of an unknown kind', async () => {
    await refused('sin-credenciales', '/v3', {})
    await refused('sin-credenciales', '/v3', { headers: { authorization: 'Basic eDp5' } })
  })

  it('401: a path that does not exist needs a credential too, however it is spelled', async () => {
    for (const path of ['/v3/nada', '/v3/', '/v3/agencias/%zz', '/v3/%00', '/%763/colores', '/v3/colores/../x'])
      await refused('sin-credenciales', path, {})
  })

  it('401 firma-invalida: wrong signature, other method, path, header or app; an unknown app is answered the same', async () => {
    const headers = app.signed('GET', '/v3/colores')
    await refused('firma-invalida', '/v3', { headers })
    await refused('firma-invalida', '/v3/colores', { method: 'HEAD', headers }).catch((error) =>
      assert.match(String(error), /JSON/),
    )
    await refused('firma-invalida', '/v3/colores?', { headers })
    await refused('firma-invalida', '/v3/colores', { headers: { ...headers, 'x-svc-more': '1' } })
    await refused('firma-invalida', '/v3/colores', { headers: { ...headers, authorization: 'SVC-HMAC nonsense' } })
    const wrong = await refused('firma-invalida', '/v3', { headers })
    const unknown = callerFor(server.url, '0'.repeat(32), 'x', { clock: () => now })
    const answer = await refused('firma-invalida', '/v3', { headers: unknown.signed('GET', '/v3') })
    assert.equal(answer.text, wrong.text)
  })

  it('401 fecha-fuera-de-rango: more than 300 s early or late, none, or unreadable', async () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000).toUTCString()
    for (const seconds of [-300, 300]) assert.equal((await app.get('/v3', { date: at(seconds) })).status, 200)
    for (const date of [at(-301), at(301), 'yesterday', ''])
      await refused('fecha-fuera-de-rango', '/v3', { headers: app.signed('GET', '/v3', { headers: { date } }) })
  })

  it('401 digest-invalido: a Digest by the names of what every object has', async () => {
    for (const digest of ['__proto__=x', 'constructor=x'])
      await refused('digest-invalido', '/v3/colores', {
        method: 'POST',
        headers: app.signed('POST', '/v3/colores', { body: '{}', headers: { digest } }),
        body: '{}',
      })
  })

  it('401 digest-invalido: a body without a digest, or with the digest of another', async () => {
    const body = { method: 'POST', body: BODY }
    const bare = app.signed('POST', '/v3/colores')
    await refused('digest-invalido', '/v3/colores', { ...body, headers: bare })
    await refused('digest-invalido', '/v3/colores', {
      ...body,
      headers: app.signed('POST', '/v3/colores', { body: '{}' }),
    })
    await refused('digest-invalido', '/v3/nada', { ...body, headers: app.signed('POST', '/v3/nada', { body: '{}' }) })
  })

  it('401 repetida: a signature on a change is good once, on any node; on a read it may repeat', async () => {
    const other = await startServer({ clock: () => now, connection: server.connection })
    try {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const headers = app.signed(method, '/v3/colores')
        assert.equal((await send(server.url, '/v3/colores', { method, headers })).status, 405)
        await refused('repetida', '/v3/colores', { method, headers })
        const elsewhere = await send(other.url, '/v3/colores', { method, headers })
        assert.equal(elsewhere.json.Extensions.Codigo, 'repetida')
      }
      const headers = app.signed('GET', '/v3/colores')
      for (const url of [server.url, other.url, server.url])
        assert.equal((await send(url, '/v3/colores', { headers })).status, 200)
    } finally {
      await other.stop()
    }
  })

  it('401 repetida: of many sent at the same moment, one passes; base64 in another spelling is the same signature', async () => {
    const headers = app.signed('DELETE', '/v3/colores')
    const spelled = { ...headers, authorization: headers.authorization?.replace(/=$/, '') ?? '' }
    const answers = await Promise.all(
      [headers, headers, headers, spelled].map((each) =>
        send(server.url, '/v3/colores', { method: 'DELETE', headers: each }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [401, 401, 401, 405])
  })

  it('200: two secrets are good while an app rotates; a third revokes the first; --revocar leaves one', async () => {
    const rotating = await server.newApp()
    const statuses = (secrets: string[]) =>
      Promise.all(
        secrets.map(async (secret) => {
          const caller = callerFor(server.url, rotating.app.appKey, secret, { clock: () => now })
          return (await caller.get('/v3')).status
        }),
      )
    const become = (secrets: string[], expected: number[]) =>
      until(async () => String(await statuses(secrets)) === String(expected))
    const second = await rotateSecret(server.store, server.seal, rotating.app.id, false)
    await become([rotating.secret, second], [200, 200])
    const third = await rotateSecret(server.store, server.seal, rotating.app.id, false)
    await become([rotating.secret, second, third], [401, 200, 200])
    const fourth = await rotateSecret(server.store, server.seal, rotating.app.id, true)
    await become([second, third, fourth], [401, 401, 200])
  })

  it('401: a disabled app is refused on every node as soon as they hear of it', async () => {
    const other = await startServer({ clock: () => now, connection: server.connection })
    try {
      const doomed = await server.newApp()
      const call = (url: string) => send(url, '/v3', { headers: doomed.signed('GET', '/v3') })
      assert.equal((await call(server.url)).status, 200)
      await until(async () => (await call(other.url)).status === 200) // once it has heard of the app
      await disableApp(server.store, doomed.app.appKey, true)
      await until(async () => (await call(server.url)).status === 401 && (await call(other.url)).status === 401)
      await disableApp(server.store, doomed.app.appKey, false)
      await until(async () => (await call(server.url)).status === 200)
    } finally {
      await other.stop()
    }
  })

  it('the secret is nowhere in the store as it is', async () => {
    const [row] = await server.store.query<{ sealed: Buffer }>({
      text: 'select sealed from app_secrets limit 1',
      values: [],
    } as never)
    assert.ok(!row?.sealed.includes(Buffer.from(app.secret)))
  })
})

describe('signatures and the limit of an app', () => {
  it('429 uses up no signature, and a signature that is repeated uses up nothing of the limit', async () => {
    let nowMs = 0
    const NOT_ALLOWED = 'metodo-no-permitido'
    const env = { RATE_PER_SECOND: '1', RATE_BURST: '2' }
    const server = await startServer({ env, nowMs: () => nowMs })
    try {
      const app = await server.newApp()
      const ask = async (headers: Record<string, string>) => {
        const { json } = await send(server.url, '/v3/colores', { method: 'DELETE', headers })
        return json.Extensions.Codigo
      }
      const [first, second, third] = [1, 2, 3].map(() => app.signed('DELETE', '/v3/colores')) as [
        Record<string, string>,
        Record<string, string>,
        Record<string, string>,
      ]
      assert.deepEqual([await ask(first), await ask(first), await ask(second)], [NOT_ALLOWED, 'repetida', NOT_ALLOWED])
      assert.equal(await ask(third), 'limite-de-solicitudes')
      nowMs += 1_000
      assert.equal(await ask(third), NOT_ALLOWED)
    } finally {
      await server.stop()
    }
  })
})

describe('failed attempts', () => {
  /** A server whose event loop lags answers 503 before it authenticates; such an answer says nothing here. */
  async function authenticated(request: () => ReturnType<typeof send>): Promise<Awaited<ReturnType<typeof send>>> {
    const answer = await request()
    return answer.status === 503 ? authenticated(request) : answer
  }

  it('429: an address that only fails is told to wait, while a valid credential from there still passes', async () => {
    const server = await startServer({ nowMs: () => 0 })
    try {
      const app = await server.newApp()
      const statuses = new Set<number>()
      for (let batch = 0; batch < 22 && !statuses.has(429); batch++) {
        const answers = Array.from({ length: 50 }, () => authenticated(() => send(server.url, '/v3')))
        for (const { status, headers } of await Promise.all(answers)) {
          statuses.add(status)
          assert.match(headers.ratelimit ?? '', /^"direccion";r=\d+;t=\d+$/)
          if (status === 429) assert.ok(Number(headers['retry-after']) >= 1)
        }
      }
      assert.deepEqual([...statuses], [401, 429])
      assert.equal((await authenticated(() => app.get('/v3'))).status, 200)
    } finally {
      await server.stop()
    }
  })
})
