import type { FastifyInstance } from 'fastify'
import { usageOf } from '../../../apps/usage-store.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import type { ByApp } from '../access.ts'
import { progressOf } from '../puesta-en-marcha/progress.ts'
import { visitOf } from '../visit.tsx'
import { overviewPage } from './page.tsx'

const HOURS = 24

/** /portal/{AppKey} */
export function overviewRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people
  app.get<ByApp>('/portal/:appKey', HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const asked = { appId: visit.app.id, step: 'hour', count: HOURS, timeZone: config.timeZone } as const
    const [periods, progress] = await Promise.all([usageOf(store, asked), progressOf(people, visit.app)])
    return page(reply, overviewPage({ visit, periods, progress }))
  })
}
