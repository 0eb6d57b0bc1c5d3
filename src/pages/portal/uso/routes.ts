import type { FastifyInstance } from 'fastify'
import type { App } from '../../../apps/app.ts'
import { usageOf } from '../../../apps/usage-store.ts'
import { invitesOfDay } from '../../../resources/agencias/reach.ts'
import { type Asking, wantsCsv } from '../../asked.ts'
import { sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import type { ByApp } from '../access.ts'
import { visitOf } from '../visit.tsx'
import { type Limits, SPANS, USAGE_COLUMNS, usagePage } from './page.tsx'

/** /portal/{AppKey}/uso */
export function usageRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  app.get<ByApp & Asking>('/portal/:appKey/uso', HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const step = request.query.por === SPANS.day.por ? 'day' : 'hour'
    const asked = { appId: visit.app.id, step, count: SPANS[step].count, timeZone: config.timeZone } as const
    const [periods, invited] = await Promise.all([usageOf(store, asked), invitesOfDay(store, visit.app)])
    if (wantsCsv(request.query)) return sendCsv(reply, `uso-por-${SPANS[step].por}`, USAGE_COLUMNS, periods)
    return page(reply, usagePage({ visit, step, periods, limits: limitsOf(visit.app, config), invited }))
  })
}

const limitsOf = (
  { limits }: App,
  { ratePerSecond, rateBurst, invitesPerDay }: Pick<People['config'], keyof Limits>,
): Limits => ({
  ratePerSecond: limits.ratePerSecond ?? ratePerSecond,
  rateBurst: limits.rateBurst ?? rateBurst,
  invitesPerDay: limits.invitesPerDay ?? invitesPerDay,
})
