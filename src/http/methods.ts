import type { FastifyInstance, RouteHandler, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on the routes that stand for the methods a path does not have: the `Allow` they answer 405 with. */
    notAllowed?: string
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Gives every path the methods its routes imply: HEAD wherever GET, OPTIONS everywhere, and 405 for the rest.
 * Call it first in a scope, and the function it returns once the scope's routes are declared.
 */
export function completeMethods(app: FastifyInstance): () => void {
  const declared = new Map<string, RouteOptions[]>()
  let complete = false
  app.addHook('onRoute', ({ path, prefix: _, routePath, ...route }) => {
    if (!complete) declared.set(path, [...(declared.get(path) ?? []), { ...route, url: routePath }])
  })

  return () => {
    complete = true
    for (const routes of declared.values()) completePath(app, routes)
  }
}

function completePath(app: FastifyInstance, routes: RouteOptions[]): void {
  const url = routes[0]?.url ?? ''
  const methods = new Set(routes.flatMap(({ method }) => method))

  const get = routes.find(({ method }) => [method].flat().includes('GET'))
  if (get && !methods.has('HEAD')) {
    methods.add('HEAD')
    app.route({ ...get, method: 'HEAD', schema: { ...get.schema, hide: true } })
  }

  const declaresOptions = methods.has('OPTIONS')
  methods.add('OPTIONS')
  const allow = METHODS.filter((method) => methods.has(method)).join(', ')
  const hidden = { url, schema: { hide: true } }
  if (!declaresOptions) {
    const tellAllow: RouteHandler = (_request, reply) => reply.code(204).header('allow', allow).send()
    app.route({ ...hidden, method: 'OPTIONS', handler: tellAllow })
  }
  const rest = METHODS.filter((method) => !methods.has(method))
  const unreached: RouteHandler = () => undefined // the door refuses these (http/door.ts)
  if (rest.length > 0) app.route({ ...hidden, method: rest, config: { notAllowed: allow }, handler: unreached })
}
