import type { FastifyInstance } from 'fastify'
import findMyWay from 'find-my-way'
import { getOrInsert, lazy } from '../memoize.ts'

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Longer than any URL that Node accepts, so that validation refuses a long parameter, not the router. */
export const MAX_PARAM_LENGTH = 20_000

/** OPTIONS is answered on every path (negotiation.ts). */
const allowOf = (methods: ReadonlySet<string>): string =>
  ORDER.filter((method) => method === 'OPTIONS' || methods.has(method)).join(', ')

/** Every path of the server with the methods it has: what makes 405 out of a 404. */
export type Paths = ReturnType<typeof collectPaths>

interface KnownPath {
  route: string
  methods: Set<string>
}

/** Collects each route as it is declared, and adds HEAD to GET; call it before the first. */
export function collectPaths(app: FastifyInstance) {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD']
    const { url, method } = route
    const path = getOrInsert(known, url, () => ({ route: url, methods: new Set() }))
    for (const each of [method].flat()) path.methods.add(each)
  })
  // At the first look-up: a router compiles a function for each path, and a start should be fast.
  const router = lazy(() => {
    const made = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })
    for (const path of known.values()) made.on('GET', path.route, () => undefined, path)
    return made
  })
  const find = (url: string) => router().find('GET', url.split('?', 1)[0] ?? '')?.store as KnownPath | undefined
  const hides = new Map<string, boolean>()
  /** Whether one of its addresses has a path of its own; most routes have none, and are not looked up again. */
  const hidesAnother = (route: string): boolean =>
    getOrInsert(hides, route, () => [...known.keys()].some((other) => isMoreExact(other, route)))

  return {
    /** The `Allow` of the path, if there is one; of a path that does not exist, nothing. */
    allowAt(url: string): string | undefined {
      const found = find(url)
      return found && allowOf(found.methods)
    },
    /** The `Allow` of a more exact path than the route: if `/a/:id` has PUT and `/a/all` has not, the router treats `all` as an id. */
    allowBefore(route: string, url: string): string | undefined {
      const found = hidesAnother(route) ? find(url) : undefined
      return found && found.route !== route ? allowOf(found.methods) : undefined
    },
  }
}

const isParameter = (segment: string | undefined): boolean => segment?.startsWith(':') === true

/** Whether a path is one of those that another means: as long, with words where that has parameters. */
function isMoreExact(path: string, route: string): boolean {
  const words = path.split('/')
  const pattern = route.split('/')
  return (
    path !== route &&
    words.length === pattern.length &&
    words.every((word, at) => word === pattern[at] || (isParameter(pattern[at]) && !isParameter(word)))
  )
}
