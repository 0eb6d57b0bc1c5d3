import type { FastifyInstance } from 'fastify'

/** One line a request, by its route: the URL may name a person, the route never does. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    request.log[statusCode >= 500 ? 'warn' : 'info'](
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        app: request.caller?.appKey,
      },
      'request',
    )
    done()
  })
}
