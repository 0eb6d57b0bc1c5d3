import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startServer, type TestServer } from '../support/server.ts'
import { PAGES, ROLES } from './pages.ts'
import { createUsers, type Users } from './users.ts'

/** All roles share one address, whose limit would refuse some requests. */
const HURRY = 1_000

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
    it(`GET ${url}: each role gets its status`, async () => {
      const path = users.pathOf(url)
      const answers = await Promise.all(
        ROLES.map(async (role) => [role, users.summaryOf(await users.visitors[role].get(path))]),
      )
      assert.deepEqual(Object.fromEntries(answers), expected)
    })
})
