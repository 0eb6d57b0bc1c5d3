import type { FastifyInstance, RouteHandler, RouteOptions } from 'fastify'
import findMyWay from 'find-my-way'

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Longer than any address that Node reads, so that it is ours to say what is wrong with it. */
export const MAX_PARAM_LENGTH = 20_000

const allowOf = (methods: ReadonlySet<string>): string => ORDER.filter((method) => methods.has(method)).join(', ')

/** Every path of the server with the methods it has: what makes 405 out of a 404. */
export interface Paths {
  /** The `Allow` of the path, if there is one; of a path that does not exist, nothing. */
  allowAt(url: string): string | undefined
}

/** Notes each route as it is declared; call it before the first. */
export function notePaths(app: FastifyInstance): Paths {
  const router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set<string>()
    if (!known.has(url)) router.on('GET', url, () => undefined, methods)
    known.set(url, methods)
    for (const each of [method].flat()) methods.add(each)
  })

  return {
    allowAt(url) {
      const found = router.find('GET', url.split('?', 1)[0] ?? '')
      return found ? allowOf(found.store as Set<string>) : undefined
    },
  }
}

/** Declares a scope's routes and gives their paths the methods these imply: HEAD wherever GET, OPTIONS everywhere. */
export function withMethods(app: FastifyInstance, declare: () => void): void {
  const declared = new Map<string, RouteOptions[]>()
  let complete = false
  app.addHook('onRoute', ({ path, prefix: _, routePath, ...route }) => {
    if (!complete) declared.set(path, [...(declared.get(path) ?? []), { ...route, url: routePath }])
  })
  declare()
  complete = true
  for (const routes of declared.values()) completePath(app, routes)
}

function completePath(app: FastifyInstance, routes: RouteOptions[]): void {
  const methods = new Set(routes.flatMap(({ method }) => method))
  const get = routes.find(({ method }) => [method].flat().includes('GET'))
  if (get && !methods.has('HEAD')) {
    methods.add('HEAD')
    app.route({ ...get, method: 'HEAD', schema: { ...get.schema, hide: true } })
  }
  if (methods.has('OPTIONS')) return
  const allow = allowOf(methods.add('OPTIONS'))
  const tellAllow: RouteHandler = (_request, reply) => reply.code(204).header('allow', allow).send()
  app.route({ url: routes[0]?.url ?? '', method: 'OPTIONS', schema: { hide: true }, handler: tellAllow })
}
