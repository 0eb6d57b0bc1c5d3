import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PAGES, ROLES } from '../../tests/isolation/pages.ts'
import { createUsers, type Users } from '../../tests/isolation/users.ts'
import { follow, isTitled, withPages } from '../../tests/support/pages.ts'

type Role = (typeof ROLES)[number]

/** Pages that belong to somebody. */
const PLACE = /^\/(cuenta|portal|consola)/
/** Of what a role is refused in a place, so much is tried; tests/isolation/pages.test.ts asks for all of it over HTTP. */
const OF_EACH_PLACE = 1
const TITLES: Record<string, string> = { '403': 'No se puede hacer esto', '404': 'No encontramos esa página' }
/** Where each is at home. */
const HOMES: Partial<Record<Role, { link: string; address: RegExp }>> = {
  agency: { link: 'Ir a mi cuenta', address: /\/cuenta$/ },
  vendedor: { link: 'Ir a mi cuenta', address: /\/cuenta$/ },
  developer: { link: 'Ir al portal', address: /\/portal\/[0-9a-f]{32}$/ },
  desarrollador: { link: 'Ir al portal', address: /\/portal\/[0-9a-f]{32}$/ },
  staff: { link: 'Ir a la consola', address: /\/consola$/ },
}

/** Some pages that the role is refused, and how. */
function refusedTo(role: Role): { url: string; status: string }[] {
  const tried = new Map<string, number>()
  return [...PAGES].flatMap(([url, { [role]: status }]) => {
    const kind = `${PLACE.exec(url)?.[0]} ${status}`
    if (!PLACE.test(url) || !TITLES[status] || (tried.get(kind) ?? 0) >= OF_EACH_PLACE) return []
    tried.set(kind, (tried.get(kind) ?? 0) + 1)
    return [{ url, status }]
  })
}

describe('somebody else’s pages in a browser', () => {
  const { server, onPage } = withPages()
  let users: Users
  before(async () => {
    users = await createUsers(server, await server.newApp())
  })

  for (const role of ROLES) {
    const home = HOMES[role]
    if (!home) continue
    it(`403, 404: ${role} reads that there is nothing for them there, and is led home`, () =>
      onPage(`ajenas-${role}`, { as: users.visitors[role] }, async (page) => {
        const refused = refusedTo(role)
        assert.ok(refused.length >= 2)
        for (const { url, status } of refused) {
          const answer = await page.goto(users.pathOf(url))
          assert.equal(String(answer?.status()), status, url)
          await isTitled(page, TITLES[status] ?? '')
        }
        await follow(page, home.link)
        await page.waitForURL(home.address)
      }))
  }

  for (const [role, title] of [
    ['anonymous', 'Entrar'],
    ['passwordOnly', 'Proteja su cuenta'],
  ] as const)
    it(`303: ${role} is led to prove who they are, whatever page it is`, () =>
      onPage(
        `ajenas-${role}`,
        { ...(role === 'passwordOnly' && { as: users.visitors.passwordOnly }) },
        async (page) => {
          for (const url of ['/cuenta/consultas', '/portal/:appKey/claves', '/consola/correos/:id']) {
            await page.goto(users.pathOf(url))
            await isTitled(page, title)
          }
        },
      ))
})
