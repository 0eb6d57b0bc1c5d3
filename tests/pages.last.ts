import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import findMyWay from 'find-my-way'
import { PAGES, ROLES } from './isolation/pages.ts'
import { createUsers, type Users } from './isolation/users.ts'
import { assertAccessible } from './support/axe.ts'
import { withPages } from './support/pages.ts'
import { readRunLog } from './support/run-log.ts'
import type { TestServer } from './support/server.ts'

/** Not a page: the APIs, static files, and the redirects to and from an OIDC provider. */
const NO_PAGE =
  /^\/(v3|interno|oauth|entrar\/oidc|health|assets|fotos|dibujos|llms\.txt|docs\/guia\.md|\.well-known|openapi(?:-3\.0)?\.(?:json|yaml))(\/|$)/
/** No documents: a file, an email for its frame, and suggestions as one types. */
const NO_DOCUMENT = ['/docs/ejemplos/:lenguaje/:archivo', '/consola/correos/:id/html', '/sugerencias/ciudades']
/** All roles share one address, whose limit would refuse some requests. */
const HURRY = 1_000
/** The target and the query of a search form. */
const SEARCH = /<search[^>]*>.*?<form[^>]* action="([^"?]+)[^>]*>(.*?)<\/form>/gs
/** The list that a posted search leads to. */
const LIST = /name="lista" value="([^"]+)"/
/** A visible field: hidden ones are not what a person searches by. */
const FIELD = /<(?:input|select)(?! type="hidden")[^>]* name="(\w+)"/g

describe('browser coverage of this run', () => {
  const { server, onPage } = withPages({ nowMs: () => performance.now() * HURRY })
  let cast: Users
  let routeOf: (method: string, path: string) => string | undefined
  let done: Set<string>
  before(async () => {
    cast = await createUsers(server, await server.newApp())
    routeOf = finder(server.routes)
    done = new Set(readRunLog('browser').flatMap(whatWasDone))
  })

  it('every page was seen, and every action done', () => {
    const wanted = server.routes.filter(({ url }) => !NO_PAGE.test(url)).map(({ method, url }) => `${method} ${url}`)
    assertDone(wanted)
  })

  it('axe finds nothing on the pages that no other test has checked', async () => {
    const checked = new Set(readRunLog('axe').map((path) => routeOf('GET', path)))
    const unchecked = [...PAGES].filter(
      ([url]) => !NO_PAGE.test(url) && !NO_DOCUMENT.includes(url) && !checked.has(`GET ${url}`),
    )
    const roleOf = ([, statuses]: (typeof unchecked)[number]) => ROLES.find((role) => statuses[role] === '200')
    const faults: string[] = []
    const checkAs = async (role: (typeof ROLES)[number]) => {
      const own = unchecked.filter((page) => roleOf(page) === role)
      if (own.length === 0) return
      const as = role === 'anonymous' ? undefined : cast.visitors[role]
      await onPage(`axe-${role}`, { as }, async (page) => {
        for (const [url] of own) {
          await page.goto(cast.pathOf(url))
          await assertAccessible(page).catch(({ message }: Error) => faults.push(message))
        }
      })
    }
    await Promise.all(ROLES.map(checkAs))
    assert.deepEqual(faults, [])
    const unreachable = unchecked.filter((page) => !roleOf(page)).map(([url]) => url)
    assert.deepEqual(unreachable, [], 'pages that need more than a signed-in user: their own tests must check them')
  })

  it('every list with a search was searched, and every list with a download was downloaded', async () => {
    const wanted: string[] = []
    for (const [url, statuses] of PAGES) {
      const role = ROLES.find((each) => statuses[each] === '200')
      if (!role) continue
      const path = cast.pathOf(url)
      const [{ text }, file] = [
        await cast.visitors[role].get(path),
        await cast.visitors[role].get(`${path}?formato=csv`),
      ]
      for (const [, action = '', form = ''] of text.matchAll(SEARCH)) {
        const [, list = action] = LIST.exec(form) ?? []
        const ways = [...form.matchAll(FIELD)].map(([, name]) => `${routeOf('GET', list)}, by ${name}`)
        wanted.push(ways.find((way) => done.has(way)) ?? ways.join(' or '))
      }
      if (file.headers['content-type']?.startsWith('text/csv')) wanted.push(`GET ${url}, as a file`)
    }
    assertDone(wanted)
  })

  /** What a log line covers: a page or an action, a search or a download. */
  function whatWasDone(note: string): string[] {
    const [method = '', address = ''] = note.split('\t')
    const { pathname, searchParams } = new URL(address, server.url)
    const route = routeOf(method, pathname)
    if (!route) return []
    if (searchParams.get('formato') === 'csv') return [`${route}, as a file`]
    const sent = [...searchParams].filter(([, value]) => value)
    return [route, ...sent.map(([name]) => `${route}, by ${name}`)]
  }

  function assertDone(wanted: string[]): void {
    assert.ok(wanted.length > 0, 'there is nothing to look for: this shows nothing')
    const lacking = [...new Set(wanted)].filter((each) => !done.has(each)).sort()
    assert.ok(lacking.length === 0, `no test does this in a browser:\n${lacking.join('\n')}`)
  }
})

/** Finds the route of a path, as the server does. */
function finder(routes: TestServer['routes']) {
  const router = findMyWay({ maxParamLength: 1_000 })
  const byName = new Map(routes.map((route) => [`${route.method} ${route.url}`, route]))
  for (const [name, { method, url }] of byName) router.on(method as 'GET', url, () => undefined, name)
  return (method: string, path: string) => router.find(method as 'GET', path)?.store as string | undefined
}
