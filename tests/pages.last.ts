import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import findMyWay from 'find-my-way'
import { PAGES, ROLES } from './isolation/pages.ts'
import { createUsers, type Users } from './isolation/users.ts'
import { readRunLog } from './support/run-log.ts'
import { startServer, type TestServer } from './support/server.ts'

/** The APIs and what stands in files: no pages. */
const NO_PAGE = /^\/(v3|interno|oauth|health|assets|\.well-known|openapi\.json)(\/|$)/
/** All roles ask from one address, more than it may in so short a time. */
const HURRY = 1_000
/** Where the search above a list leads, and what it asks. */
const SEARCH = /<search>\s*<form[^>]* action="([^"?]+)[^>]*>(.*?)<\/form>/gs
/** A field that a person fills in: what is hidden narrows nothing that they look for. */
const FIELD = /<(?:input|select)(?! type="hidden")[^>]* name="(\w+)"/g

describe('what people do, done in a browser by some test of this run', () => {
  let server: TestServer
  let cast: Users
  let routeOf: (method: string, path: string) => string | undefined
  let done: Set<string>
  before(async () => {
    server = await startServer({ nowMs: () => performance.now() * HURRY })
    cast = await createUsers(server, await server.newApp())
    routeOf = finder(server.routes)
    done = new Set(readRunLog('browser').flatMap(whatWasDone))
  })
  after(() => server.stop())

  it('every page was seen, and every act done', () => {
    const wanted = server.routes.filter(({ url }) => !NO_PAGE.test(url)).map(({ method, url }) => `${method} ${url}`)
    assertDone(wanted)
  })

  it('every list that can be searched was searched, and every one that can be downloaded was downloaded', async () => {
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
        const ways = [...form.matchAll(FIELD)].map(([, name]) => `${routeOf('GET', action)}, by ${name}`)
        wanted.push(ways.find((way) => done.has(way)) ?? ways.join(' or '))
      }
      if (file.headers['content-type']?.startsWith('text/csv')) wanted.push(`GET ${url}, as a file`)
    }
    assertDone(wanted)
  })

  /** What a note tells of: a page or an act, a search or a file of it. */
  function whatWasDone(note: string): string[] {
    const [method = '', address = ''] = note.split('\t')
    const { pathname, searchParams } = new URL(address, server.url)
    const route = routeOf(method, pathname)
    if (!route) return []
    if (searchParams.get('formato') === 'csv') return [`${route}, as a file`]
    const asked = [...searchParams].filter(([, value]) => value)
    return [route, ...asked.map(([name]) => `${route}, by ${name}`)]
  }

  function assertDone(wanted: string[]): void {
    assert.ok(wanted.length > 0, 'there is nothing to look for: this shows nothing')
    const lacking = [...new Set(wanted)].filter((each) => !done.has(each)).sort()
    assert.ok(lacking.length === 0, `no test does this in a browser:\n${lacking.join('\n')}`)
  }
})

/** Finds the route that an address belongs to, as the server does. */
function finder(routes: TestServer['routes']) {
  const router = findMyWay({ maxParamLength: 1_000 })
  const byName = new Map(routes.map((route) => [`${route.method} ${route.url}`, route]))
  for (const [name, { method, url }] of byName) router.on(method as 'GET', url, () => undefined, name)
  return (method: string, path: string) => router.find(method as 'GET', path)?.store as string | undefined
}
