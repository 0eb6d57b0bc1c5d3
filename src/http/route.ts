import type { FastifyContextConfig, FastifyInstance } from 'fastify'

/** What the route of a request says of itself; where no route was found, nothing. */
export type Route = FastifyContextConfig & { readonly url?: string; readonly method?: string | string[] }

declare module 'fastify' {
  interface FastifyRequest {
    /** Read once for each request: Fastify puts `routeOptions` together anew whenever it is asked for. */
    route: Route
  }
}

const NONE: Route = {}

/** Every answer has it: browsers take a body for what its Content-Type says, and for nothing else. */
export const NOSNIFF = ['x-content-type-options', 'nosniff'] as const

/** The first hook of every request. */
export function identifyRequests(app: FastifyInstance): void {
  app.decorateRequest('route')
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions.config ?? NONE
    reply.header('x-request-id', request.id).header(...NOSNIFF)
    done()
  })
}
