import type { FastifyContextConfig, FastifyInstance } from 'fastify'

/** The config of a request's route; empty if no route was found. */
export type Route = FastifyContextConfig & { readonly url?: string; readonly method?: string | string[] }

declare module 'fastify' {
  interface FastifyRequest {
    /** Read once for each request, because Fastify builds `routeOptions` on every access. */
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
