import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createUsers, type Users } from './isolation/users.ts'
import { send } from './support/caller.ts'
import { assertSecure } from './support/security-headers.ts'
import { startServer, type TestServer } from './support/server.ts'
import { steppingClock } from './support/stepping-clock.ts'

/** An email in an iframe: its own styles, and a sandbox in which nothing runs and no link opens. */
const EMAIL = '/consola/correos/:id/html'
const SANDBOX = /^sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'/

// isolation/pages.test.ts checks the headers of every page for every role.
describe('security headers', () => {
  let server: TestServer
  let users: Users
  before(async () => {
    server = await startServer({ nowMs: steppingClock() })
    users = await createUsers(server, await server.newApp())
  })
  after(() => server.stop())

  it(`GET ${EMAIL}: in a sandbox`, async () => {
    const { status, headers } = await users.visitors.staff.get(users.pathOf(EMAIL))
    assert.equal(status, 200)
    assert.match(headers['content-security-policy'] ?? '', SANDBOX)
    for (const role of ['anonymous', 'agency', 'developer', 'passwordOnly'] as const)
      assertSecure(await users.visitors[role].get(users.pathOf(EMAIL)), role)
  })

  it('forms: refusals have them too', async () => {
    const posts = server.routes.filter(({ method, url }) => method === 'POST' && !/^\/(v3|interno|oauth)/.test(url))
    assert.ok(posts.length > 50)
    for (const { url } of posts) {
      const path = users.pathOf(url)
      assertSecure(await users.visitors.anonymous.post(path, {}, { 'sec-fetch-site': 'cross-site' }), path)
    }
  })

  it('404: an unknown page has them too', async () => {
    for (const path of ['/nada', '/consola/nada', '/docs/guia/nada', '/%ff'])
      assertSecure(await users.visitors.anonymous.get(path, { accept: 'text/html' }), path)
  })

  it('Strict-Transport-Security on every answer if the public URL is https, and on none otherwise', async () => {
    const secure = await startServer({ env: { PUBLIC_URL: 'https://rodado.test' } })
    try {
      const app = await secure.newApp()
      const answers = [
        await send(secure.url, '/'),
        await send(secure.url, '/nada'),
        await send(secure.url, '/%ff'),
        await send(secure.url, '/entrar'),
        await send(secure.url, '/salud'),
        await send(secure.url, '/v3'),
        await send(secure.url, '/interno/cambios'),
        await send(secure.url, '/v3', { headers: { expect: 'x' } }),
        await send(secure.url, '/', { headers: { large: 'x'.repeat(20_000) } }),
        await app.get('/v3/colores'),
        await app.get('/v3/colores'), // from the response cache
      ]
      for (const [at, { status, headers }] of answers.entries())
        assert.equal(headers['strict-transport-security'], 'max-age=31536000', `${at}: ${status}`)
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 400, 401, 404, 417, 431])
    } finally {
      await secure.stop()
    }
    assert.equal((await send(server.url, '/')).headers['strict-transport-security'], undefined)
  })

  it('no cache keeps personal pages', async () => {
    for (const path of ['/cuenta', '/cuenta/consultas', '/cuenta/datos'])
      assert.match((await users.visitors.agency.get(path)).headers['cache-control'] ?? '', /no-store/, path)
    for (const path of ['/consola', '/consola/consultas', '/consola/correos', '/consola/personal'])
      assert.match((await users.visitors.staff.get(path)).headers['cache-control'] ?? '', /no-store/, path)
  })
})
