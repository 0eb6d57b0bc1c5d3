import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { readStatus, type StatusReport } from '../../status/read.ts'
import type { Store } from '../../store/db.ts'
import { PUBLIC, page } from '../page.ts'
import { allowScript } from '../security.ts'
import { statusPage, unknownStatusPage } from './page.tsx'

export interface StatusDeps {
  store: Store
  clock: Clock
  timeZone: string
}

/** Many visitors come when something is wrong: what the page shows is read at most so often. */
const CACHE_MS = 15_000
/** GET /estado: how the service did in the last 90 days, for everybody. */
export function statusRoutes(app: FastifyInstance, deps: StatusDeps): void {
  let cached: { status: Promise<StatusReport>; atMs: number } | undefined
  app.get('/estado', PUBLIC, async (request, reply) => {
    const when = { now: deps.clock(), timeZone: deps.timeZone }
    if (!cached || when.now.getTime() - cached.atMs >= CACHE_MS || when.now.getTime() < cached.atMs)
      cached = { status: readStatus(deps.store, when.now, deps.timeZone), atMs: when.now.getTime() }
    try {
      return page(allowScript(reply), statusPage(await cached.status, when))
    } catch (err) {
      cached = undefined
      request.log.warn({ err }, 'status page: the database could not be read')
      return page(allowScript(reply), unknownStatusPage(), 503)
    }
  })
}
