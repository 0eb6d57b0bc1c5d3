import type { App } from '../../../apps/app.ts'
import { usageOf } from '../../../apps/usage-store.ts'
import { invitesOfDay } from '../../../resources/agencias/reach.ts'
import { sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import { type Asking, wantsCsv } from '../../params.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalPages } from '../context.tsx'
import { type Limits, SPANS, USAGE_COLUMNS, usagePage } from './page.tsx'

/** /portal/{AppKey}/uso */
export function usageRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps

  app.get<ByApp & Asking>('/uso', async (request, reply) => {
    const { ctx } = request
    const step = request.query.por === SPANS.day.por ? 'day' : 'hour'
    const asked = { appId: ctx.app.id, step, count: SPANS[step].count, timeZone: config.timeZone } as const
    const [periods, invited] = await Promise.all([usageOf(store, asked), invitesOfDay(store, ctx.app)])
    if (wantsCsv(request.query)) return sendCsv(reply, `uso-por-${SPANS[step].por}`, USAGE_COLUMNS, periods)
    return page(reply, usagePage({ ctx, step, periods, limits: limitsOf(ctx.app, config), invited }))
  })
}

const limitsOf = (
  { limits }: App,
  { ratePerSecond, rateBurst, invitesPerDay }: Pick<PageDeps['config'], keyof Limits>,
): Limits => ({
  ratePerSecond: limits.ratePerSecond ?? ratePerSecond,
  rateBurst: limits.rateBurst ?? rateBurst,
  invitesPerDay: limits.invitesPerDay ?? invitesPerDay,
})
