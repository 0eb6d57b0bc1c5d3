import type { FastifyInstance, RouteShorthandOptions } from 'fastify'

/** No `caching` in its config: a health check has no ETag and is never answered with 304. */
const OPTIONS: RouteShorthandOptions = {
  schema: { hide: true },
  onRequest: async (_request, reply) => void reply.header('cache-control', 'no-store'),
}

/** Whether the process lives, and whether it can do its work now; both without credentials, for balancers. */
export function healthRoutes(app: FastifyInstance, ping: () => Promise<void>): void {
  app.get('/health/live', OPTIONS, () => ({ status: 'live' }))
  app.get('/health/ready', OPTIONS, async (request, reply) => {
    try {
      await ping()
      return { status: 'ready' }
    } catch (err) {
      request.log.warn({ reqId: request.id, err }, 'not ready: the database is unavailable')
      reply.code(503).header('retry-after', '1')
      return { status: 'not ready', reason: 'the database is unavailable' }
    }
  })
}
