import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertSecure } from '../support/security-headers.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { PAGES, ROLES } from './pages.ts'
import { createUsers, type Users } from './users.ts'

/** All roles share one address, whose limit would refuse some requests. */
const HURRY = 1_000
/** Not pages: the contract, and an email in its sandbox (security-headers.test.ts). */
const OTHER_HEADERS = ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json', '/consola/correos/:id/html']

/** Pages that ask before an act, or have the form of something new. */
const ACTS = [
  '/consola/agencias/:id/apps/:appKey/terminar',
  '/consola/agencias/:id/paquete',
  '/consola/agencias/:id/personas/:accountId/quitar',
  '/consola/apps/:appKey/claves/:id/revocar',
  '/consola/apps/:appKey/deshabilitar',
  '/consola/apps/:appKey/equipo/:id/quitar',
  '/consola/apps/nueva',
  '/consola/incidentes/:id/eliminar',
  '/consola/personal/:id/quitar',
  '/consola/personal/:id/reiniciar',
  '/consola/sitios/:id/revocar',
]
const FORM = '<form method="post" action="/consola'
const LINK = /href="(\/consola[^"#]*)/g

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

  it('GET /consola/…: staff that may only read finds neither a form nor a link to what it may not do', async () => {
    const reader = await makeStaff(server, { rol: 'lectura' })
    const refused: string[] = []
    const links = new Set<string>()
    for (const url of [...PAGES.keys()].filter((each) => each.startsWith('/consola'))) {
      const { status, text } = await reader.visitor.get(users.pathOf(url), { accept: 'text/html' })
      if (status === 403) refused.push(url)
      assert.ok(!text.includes(FORM), url)
      for (const [, href = ''] of text.matchAll(LINK)) links.add(href.replaceAll('&amp;', '&'))
    }
    assert.deepEqual(refused.sort(), ACTS)
    assert.ok(links.size > ACTS.length)
    for (const href of links) assert.notEqual((await reader.visitor.get(href)).status, 403, href)
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
