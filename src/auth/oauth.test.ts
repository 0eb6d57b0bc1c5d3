import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRemoteJWKSet, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { send } from '../../tests/support/caller.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { rotateSecret } from '../apps/secrets.ts'
import { disableApp } from '../apps/store.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('bearer tokens', () => {
  let server: TestServer
  let app: TestApp
  let now = new Date()
  before(async () => {
    server = await startServer({ clock: () => now })
    app = await server.newApp()
  })
  after(() => server.stop())

  const ask = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(server.url, '/oauth/token', {
      method: 'POST',
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const credentials = () => ({ client_id: app.app.appKey, client_secret: app.secret })
  const grant = { grant_type: 'client_credentials' }
  const tokenFor = async () => (await ask({ ...grant, ...credentials() })).json.access_token as string
  const use = (token: string, more: Parameters<typeof send>[2] = {}) =>
    send(server.url, '/v3/colores', { ...more, headers: { authorization: `Bearer ${token}`, ...more.headers } })

  it('200: by form and by Basic, for 3600 s, never stored', async () => {
    const basic = Buffer.from(`${app.app.appKey}:${app.secret}`).toString('base64')
    for (const answer of [
      await ask({ ...grant, ...credentials() }),
      await ask(grant, { authorization: `Basic ${basic}` }),
    ]) {
      assert.equal(answer.status, 200)
      assert.deepEqual([answer.headers['cache-control'], answer.headers.pragma], ['no-store', 'no-cache'])
      assert.equal(answer.json.token_type, 'Bearer')
      assert.equal(answer.json.expires_in, 3600)
      assert.equal((await use(answer.json.access_token)).status, 200)
    }
  })

  it('200: the well-known documents let anyone verify a token', async () => {
    const metadata = (await send(server.url, '/.well-known/oauth-authorization-server')).json
    assert.equal(metadata.issuer, 'http://rodado.test')
    assert.equal(metadata.token_endpoint, 'http://rodado.test/oauth/token')
    const keys = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(await tokenFor(), keys, { issuer: metadata.issuer })
    assert.equal(payload.sub, app.app.appKey)
    const { json } = await send(server.url, '/.well-known/jwks.json')
    assert.ok(
      json.keys.every((key: Record<string, string>) => key.kid && !key.d),
      'no private part is published',
    )
  })

  it('200: a second node takes a token of the first', async () => {
    const other = await startServer({ clock: () => now, connection: server.connection })
    try {
      const headers = { authorization: `Bearer ${await tokenFor()}` }
      assert.equal((await send(other.url, '/v3', { headers })).status, 200)
    } finally {
      await other.stop()
    }
  })

  it('400 and 401 as RFC 6749 has them', async () => {
    const cases: [number, string, Record<string, string>, Record<string, string>][] = [
      [401, 'invalid_client', { ...grant, client_id: app.app.appKey, client_secret: 'wrong' }, {}],
      [401, 'invalid_client', { ...grant, client_id: 'f'.repeat(32), client_secret: app.secret }, {}],
      [401, 'invalid_client', grant, {}],
      [400, 'unsupported_grant_type', { grant_type: 'password', ...credentials() }, {}],
      [400, 'invalid_request', credentials(), {}],
      [400, 'invalid_request', { ...grant, ...credentials() }, { authorization: 'Basic eDp5' }],
      [400, 'invalid_scope', { ...grant, ...credentials(), scope: 'all' }, {}],
    ]
    for (const [status, error, fields, headers] of cases) {
      const answer = await ask(fields, headers)
      assert.deepEqual([answer.status, answer.json.error], [status, error])
      if (status === 401) assert.match(answer.headers['www-authenticate'] ?? '', /^Basic/)
    }
  })

  it('400 invalid_request: a body that is no form, also where its type is missing or malformed', async () => {
    for (const type of ['application/json', 'text/plain', 'foo', '', 'undefined', undefined]) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await send(server.url, '/oauth/token', { method: 'POST', headers, body: '{}' })
      assert.deepEqual(
        [answer.status, answer.headers['content-type'], answer.json.error],
        [400, 'application/json; charset=utf-8', 'invalid_request'],
        type,
      )
      assert.deepEqual([answer.headers['cache-control'], answer.headers.accept], ['no-store', undefined])
    }
  })

  it('200, 400: a field without a value is as one left out (RFC 6749, 3.2)', async () => {
    const basic = Buffer.from(`${app.app.appKey}:${app.secret}`).toString('base64')
    const blank = { client_id: '', client_secret: '', scope: '' }
    assert.equal((await ask({ ...grant, ...blank }, { authorization: `Basic ${basic}` })).status, 200)
    const answer = await ask({ ...credentials(), grant_type: '' })
    assert.deepEqual([answer.status, answer.json.error], [400, 'invalid_request'])
  })

  it('400: a repeated field is named, and a form has at most ten fields', async () => {
    const post = (body: string) => send(server.url, '/oauth/token', { method: 'POST', headers: FORM, body })
    const form = new URLSearchParams({ ...grant, ...credentials() }).toString()
    const repeated = await post(`${form}&grant_type=client_credentials`)
    assert.deepEqual(
      [repeated.status, repeated.json],
      [400, { error: 'invalid_request', error_description: 'grant_type is given more than once.' }],
    )
    const unprintable = await post(`${form}&%22%0a=1&%22%0a=2`)
    assert.equal(unprintable.json.error_description, 'A field is given more than once.')
    const unknown = (count: number) => Array.from({ length: count }, (_, at) => `&f${at}=`).join('')
    assert.equal((await post(form + unknown(7))).status, 200, 'unknown fields are ignored')
    const many = await post(form + unknown(8))
    assert.deepEqual([many.status, many.json.error], [400, 'invalid_request'])
  })

  it('413: a form is refused over 4 KiB, whatever its type', async () => {
    for (const type of [FORM['content-type'], 'text/plain']) {
      const body = 'a=1&'.repeat(1025)
      const headers = { 'content-type': type }
      const answer = await send(server.url, '/oauth/token', { method: 'POST', headers, body })
      assert.deepEqual([answer.status, answer.json.Extensions], [413, { Codigo: 'demasiado-grande', MaxBytes: 4096 }])
      assert.deepEqual([answer.headers['cache-control'], answer.headers.pragma], ['no-store', 'no-cache'])
    }
  })

  it('400: the fields of a form are visited once, however many there are', async (context) => {
    const lookups = (['get', 'getAll', 'has', 'keys'] as const).map((name) =>
      context.mock.method(URLSearchParams.prototype, name),
    )
    const called = async (fields: number) => {
      for (const { mock } of lookups) mock.resetCalls()
      const body = Array.from({ length: fields }, (_, at) => `f${at}=`).join('&')
      assert.equal((await send(server.url, '/oauth/token', { method: 'POST', headers: FORM, body })).status, 400)
      return lookups.reduce((sum, { mock }) => sum + mock.callCount(), 0)
    }
    assert.equal(await called(100), await called(400))
  })

  it('401: a long Authorization header is not decoded', async () => {
    const basic = Buffer.from(`${app.app.appKey}:${app.secret}`).toString('base64')
    assert.equal((await ask(grant, { authorization: `Basic ${' '.repeat(1024)}${basic}` })).status, 401)
  })

  it('401 token-invalido: expired, forged, unsigned, of another key, or nonsense', async () => {
    const token = await tokenFor()
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await new SignJWT({ secret: 1 })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setSubject(app.app.appKey)
      .setExpirationTime('1h')
      .sign(privateKey)
    const unsigned = new UnsecuredJWT({ secret: 1 }).setSubject(app.app.appKey).setIssuer('http://rodado.test').encode()
    for (const bad of ['', 'x', 'a.b.c', forged, unsigned, `${token}x`, token.slice(0, -2)]) {
      const answer = await use(bad)
      assert.equal(answer.status, 401)
      assert.equal(answer.json.Extensions.Codigo, 'token-invalido')
      assert.match(answer.headers['www-authenticate'] ?? '', /error="invalid_token"/)
    }
    assert.equal((await use(token)).status, 200)
    const before = now
    now = new Date(now.getTime() + 3_601_000)
    assert.equal((await use(token)).status, 401, 'also a token that was already seen expires')
    now = before
  })

  it('401: a token ends with its secret, and with its app', async () => {
    const token = await tokenFor()
    assert.equal((await use(token)).status, 200)
    app.secret = await rotateSecret(server.store, server.seal, app.app.id, true)
    await until(async () => (await use(token)).status === 401)
    const second = await tokenFor()
    await disableApp(server.store, app.app.appKey, true)
    await until(async () => (await use(second)).status === 401)
    assert.equal((await ask({ ...grant, ...credentials() })).status, 401)
    await disableApp(server.store, app.app.appKey, false)
    await until(async () => (await use(second)).status === 200)
  })

  it('401 digest-invalido: with a token a digest is checked only if sent', async () => {
    const token = await tokenFor()
    const sent = { method: 'POST', body: '{}' }
    assert.equal((await use(token, sent)).status, 405)
    const answer = await use(token, { ...sent, headers: { digest: 'sha-256=wrong' } })
    assert.equal(answer.json.Extensions.Codigo, 'digest-invalido')
  })

  it('429: tokens are limited by address', async () => {
    const alone = await startServer({ nowMs: () => 0 })
    try {
      const answers = await Promise.all(
        Array.from({ length: 260 }, () =>
          send(alone.url, '/oauth/token', { method: 'POST', headers: FORM, body: 'a=b' }),
        ),
      )
      const limited = answers.filter(({ status }) => status === 429)
      assert.ok(limited.length > 0)
      const large = { method: 'POST', headers: FORM, body: 'x'.repeat(5000) }
      assert.equal((await send(alone.url, '/oauth/token', large)).status, 429, 'before the body is read')
      assert.ok(Number(limited[0]?.headers['retry-after']) >= 1)
    } finally {
      await alone.stop()
    }
  })
})
