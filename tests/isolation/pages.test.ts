import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startServer, type TestServer } from '../support/server.ts'
import { PAGES, ROLES } from './pages.ts'
import { createUsers, type Users } from './users.ts'

/** All roles ask from one address, more than it may in so short a time. */
const HURRY = 1_000

describe('isolation: every page, by the role of who asks', () => {
  let server: TestServer
  let cast: Users

  before(async () => {
    server = await startServer({ nowMs: () => performance.now() * HURRY })
    cast = await createUsers(server, await server.newApp())
  })
  after(() => server.stop())

  /** What is no page: the APIs, which other tables are about, and what stands in files. */
  const isPage = ({ method, url }: TestServer['routes'][number]) =>
    method === 'GET' && !/^\/(v3|interno|health|assets|\.well-known)(\/|$)/.test(url)

  it('every page has a line, and every line a page', () => {
    const declared = server.routes.filter(isPage).map(({ url }) => url)
    assert.deepEqual(declared.sort(), [...PAGES.keys()].sort())
  })

  for (const [url, expected] of PAGES)
    it(`GET ${url}: what everyone gets`, async () => {
      const path = cast.pathOf(url)
      const answers = await Promise.all(
        ROLES.map(async (role) => [role, cast.told(await cast.visitors[role].get(path))]),
      )
      assert.deepEqual(Object.fromEntries(answers), expected)
    })
})
