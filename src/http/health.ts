import type { FastifyInstance } from 'fastify'

const REASON = 'the database is unavailable'

/** Whether the process lives, and whether it can do its work now; both without credentials, for balancers. */
export function healthRoutes(app: FastifyInstance, ping: () => Promise<void>): void {
  const options = { schema: { hide: true }, config: { caching: 'no-store' as const } }
  app.get('/health/live', options, () => ({ status: 'live' }))

  app.get('/health/ready', options, async (request, reply) => {
    try {
      await ping()
      return { status: 'ready' }
    } catch (err) {
      request.log.warn({ reqId: request.id, err }, `not ready: ${REASON}`)
      reply.code(503).header('retry-after', '1').header('cache-control', 'no-store')
      return { status: 'not ready', reason: REASON }
    }
  })
}
