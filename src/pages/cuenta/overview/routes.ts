import { addDays, dayOf } from '../../../http/dates.ts'
import { periodOf } from '../../../http/period.ts'
import { readsOf } from '../../../resources/agencias/figures.ts'
import { findPackage } from '../../../resources/agencias/packages.ts'
import { asociacionesOf } from '../../../resources/agencias/read.ts'
import { dailyConsultas } from '../../../resources/consultas/counts.ts'
import { searchConsultas } from '../../../resources/consultas/search.ts'
import { page } from '../../page.ts'
import type { PageDeps } from '../../signed-in.ts'
import { lately } from '../apps/reads.tsx'
import { auditOfRows, scopeOf } from '../consultas/cards.tsx'
import { type AccountPages, type AgencyContext, atAgency } from '../context.tsx'
import { alonePage, type Overview, overviewPage } from './page.tsx'

const SHOWN_DAYS = 30
const MOST_WAITING = 5

/** GET /cuenta */
export function accountRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, config } = deps

  async function overviewOf(ctx: AgencyContext): Promise<Overview> {
    const { agencia, now, timeZone } = ctx
    const hasta = dayOf(now, timeZone)
    const desde = addDays(hasta, 1 - SHOWN_DAYS)
    const scope = scopeOf(ctx)
    const wanted = { ...scope, period: periodOf(desde, hasta, timeZone), estado: 'nueva', page: 1 } as const
    const { rows, more, searchedTo } = await searchConsultas(store, wanted)
    const uncounted = more || (rows.length > 0 && searchedTo !== undefined)
    const waiting = { shown: rows.slice(0, MOST_WAITING), count: rows.length, more: uncounted }
    return {
      waiting,
      daily: await dailyConsultas(store, { ...scope, desde, hasta }),
      contracted: await findPackage(store, agencia.id, timeZone),
      asociaciones: await asociacionesOf(store, agencia.id),
      reads: await readsOf(store, agencia.id, lately(ctx)),
      country: config.country,
    }
  }

  app.get('', async (request, reply) => {
    const own = request.ctx
    if (own.all.length === 0) return page(reply, alonePage({ ctx: own }))
    const ctx = atAgency(own)
    const overview = await overviewOf(ctx)
    const { shown } = overview.waiting
    if (shown.length > 0) {
      const { act, subject, detail } = auditOfRows(ctx, shown)
      await ctx.audit(act, subject, detail)
    }
    return page(reply, overviewPage({ ctx, ...overview }))
  })
}
