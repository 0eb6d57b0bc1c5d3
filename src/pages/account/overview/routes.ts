import type { FastifyInstance } from 'fastify'
import { addDays, dayOf } from '../../../http/dates.ts'
import { findPackage } from '../../../resources/agencias/packages.ts'
import { readsOf } from '../../../resources/agencias/reads.ts'
import { asociacionesOf } from '../../../resources/agencias/store.ts'
import { dailyConsultas } from '../../../resources/consultas/daily.ts'
import { periodOf } from '../../../resources/consultas/period.ts'
import { searchConsultas } from '../../../resources/consultas/search.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import { lately } from '../apps/reads.tsx'
import { noteList, scopeOf } from '../inquiries/scope.ts'
import { atAgency, ownVisit, type Visit } from '../visit.tsx'
import { alonePage, type Overview, overviewPage } from './page.tsx'

const SHOWN_DAYS = 30
const MOST_WAITING = 5

/** GET /cuenta */
export function accountRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  async function overviewOf(visit: Visit): Promise<Overview> {
    const { account, agencia, now, timeZone } = visit
    const hasta = dayOf(now, timeZone)
    const desde = addDays(hasta, 1 - SHOWN_DAYS)
    const scope = scopeOf(agencia, account)
    const wanted = { ...scope, period: periodOf(desde, hasta, timeZone), estado: 'nueva', page: 1 } as const
    const { rows, more, searchedTo } = await searchConsultas(store, wanted)
    const uncounted = more || (rows.length > 0 && searchedTo !== undefined)
    const waiting = { shown: rows.slice(0, MOST_WAITING), count: rows.length, more: uncounted }
    return {
      waiting,
      daily: await dailyConsultas(store, { ...scope, desde, hasta }),
      contracted: await findPackage(store, agencia.id, timeZone),
      asociaciones: await asociacionesOf(store, agencia.id),
      reads: await readsOf(store, agencia.id, lately(visit)),
      country: config.country,
    }
  }

  app.get('/cuenta', HIDDEN, async (request, reply) => {
    const own = await ownVisit(people, request, reply)
    if (!own) return reply
    if (own.all.length === 0) return page(reply, alonePage({ visit: own }))
    const visit = atAgency(own)
    const overview = await overviewOf(visit)
    if (overview.waiting.shown.length > 0) await noteList(store, visit, overview.waiting.shown)
    return page(reply, overviewPage({ visit, ...overview }))
  })
}
