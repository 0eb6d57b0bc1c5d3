import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertSecure } from '../support/security-headers.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { PAGES, ROLES } from './pages.ts'
import { createUsers, type Users } from './users.ts'

/** All roles share one address, whose limit would refuse some requests. */
const HURRY = 1_000
/** Not pages: the contract, and an email in its sandbox (security-headers.test.ts). */
const OTHER_HEADERS = ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json', '/consola/correos/:id/html']

describe('isolation: every page as every role', () => {
  let server: TestServer
  let users: Users

  before(async () => {
    server = await startServer({ nowMs: () => performance.now() * HURRY })
    users = await createUsers(server, await server.newApp())
  })
  after(() => server.stop())

  /** Not a page: the APIs, which other tables cover, and static files. */
  const isPage = ({ method, url }: TestServer['routes'][number]) =>
    method === 'GET' && !/^\/(v3|interno|health|assets|\.well-known)(\/|$)/.test(url)

  it('the table has every page and no other', () => {
    const declared = server.routes.filter(isPage).map(({ url }) => url)
    assert.deepEqual(declared.sort(), [...PAGES.keys()].sort())
  })

  for (const [url, expected] of PAGES)
    it(`GET ${url}: each role gets its status, with security headers`, async () => {
      const path = users.pathOf(url)
      const statuses = await Promise.all(
        ROLES.map(async (role) => {
          const answer = await users.visitors[role].get(path, { accept: 'text/html' })
          if (!OTHER_HEADERS.includes(url)) assertSecure(answer, `${role} ${path}`)
          return [role, users.summaryOf(answer)]
        }),
      )
      assert.deepEqual(Object.fromEntries(statuses), expected)
    })
})
