import type { FastifyInstance } from 'fastify'

/** Whether the process lives, and whether it can do its work now; both without credentials, for balancers. */
export function healthRoutes(app: FastifyInstance, ping: () => Promise<void>): void {
  app.get('/health/live', { schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'live' }
  })

  app.get('/health/ready', { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await ping()
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ reqId: request.id, err: error }, 'not ready: the database is unavailable')
      return reply
        .code(503)
        .header('retry-after', '1')
        .send({ status: 'not ready', reason: 'the database is unavailable' })
    }
  })
}
