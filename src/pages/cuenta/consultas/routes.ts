import type { Account } from '../../../accounts/account.ts'
import { audit } from '../../../accounts/audit.ts'
import { addDays, dayOf } from '../../../http/dates.ts'
import { invalid, notFound } from '../../../http/problems.ts'
import { type Consulta, ESTADOS } from '../../../resources/consultas/consulta.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { PER_PAGE } from '../../../resources/consultas/page.ts'
import { type Period, periodOf } from '../../../resources/consultas/period.ts'
import { searchConsultas, searchOn } from '../../../resources/consultas/search.ts'
import { findConsulta, listConsultas } from '../../../resources/consultas/store.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { CONFIRMATION, formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, dayParam, numberParam, type Query, textParam, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { type AccountContext, type AccountPages, type AgencyContext, atAgency } from '../context.tsx'
import type { OwnAgencia } from '../nav.tsx'
import { csvColumns } from './columns.ts'
import { type Filters, inquiriesPage } from './list-page.tsx'
import { inquiryPage } from './one-page.tsx'
import { noteList, scopeOf } from './scope.ts'

interface ById {
  Params: { sid: string }
}

const LIST = '/cuenta/consultas'
const LAST_PAGE = 99

/** /cuenta/consultas, …/{sid}, …/{sid}/estado: inquiries, for the people who answer them. Each read is in the audit log. */
export function inquiriesRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, config } = deps
  const { timeZone, retentionDays } = config

  app.get<Asking>('/consultas', async (request, reply) => {
    const ctx = atAgency(request.ctx)
    const filters = parseFilters(request.query)
    const period = periodParam(filters, ctx)
    if (wantsCsv(request.query)) {
      const { estado, q: text } = filters
      const wanted = { ...scopeOf(ctx.agencia, ctx.account), period, estado, text }
      const { rows } = await searchOn(store, wanted, MOST_CSV_ROWS)
      await noteList(store, ctx, rows, { formato: 'csv' })
      return sendCsv(reply, `consultas-${dayOf(ctx.now, timeZone)}`, csvColumns(timeZone), rows)
    }
    const found = await look(ctx, period, filters)
    await noteList(store, ctx, found.rows)
    return page(reply, inquiriesPage({ ctx, filters, ...found }))
  })

  /** All that is kept, or the days of it that were asked for. */
  function periodParam({ desde, hasta }: Filters, { now }: AgencyContext): Period {
    const today = dayOf(now, timeZone)
    const first = addDays(today, -retentionDays)
    const within = (day: string) => (day < first ? first : day > today ? today : day)
    return periodOf(within(desde ?? first), within(hasta ?? today), timeZone)
  }

  async function look(
    { agencia, account }: AgencyContext,
    period: Period,
    { estado, q: text, antes: before, pagina }: Filters,
  ) {
    const wanted = { ...scopeOf(agencia, account), period, page: pagina }
    if (estado || text || before)
      return { total: undefined, ...(await searchConsultas(store, { ...wanted, estado, text, before })) }
    const { total, rows } = await listConsultas(store, wanted)
    return { total, rows, more: pagina < LAST_PAGE && pagina * PER_PAGE < total }
  }

  /** An inquiry of an agency where the person works, if it is theirs to see; the same 404 whatever the reason. */
  async function theirs(
    { account, all }: AccountContext,
    sid: string,
  ): Promise<{ agencia: OwnAgencia; consulta: Consulta }> {
    for (const agencia of all) {
      const consulta = await findConsulta(store, scopeOf(agencia, account), sid)
      if (consulta) return { agencia, consulta }
    }
    throw notFound('No hay una consulta así entre las que usted ve.')
  }

  app.get<ById>('/consultas/:sid', async (request, reply) => {
    const { sid } = request.params
    const { ctx } = request
    const { agencia, consulta } = await theirs(ctx, sid)
    await audit(store, { ...by(ctx.account), act: 'consulta.leer', subject: sid })
    const { repite } = consulta
    const first = repite ? await findConsulta(store, scopeOf(agencia, ctx.account), repite) : undefined
    return page(reply, inquiryPage({ ctx: { ...ctx, agencia }, consulta, first: first?.sid }))
  })

  app.post<ById>('/consultas/:sid/estado', CONFIRMATION, async (request, reply) => {
    const { sid } = request.params
    const { ctx } = request
    const written = formOf(request).get('Estado')
    const estado = ESTADOS.find((each) => each === written)
    if (!estado) throw invalid({ Estado: ['Ese estado no existe.'] })
    const { agencia } = await theirs(ctx, sid)
    await changeEstado(deps, { agencia, scope: scopeOf(agencia, ctx.account), sid, estado })
    return done(reply, 'estado', `${LIST}/${sid}`)
  })
}

const by = ({ id }: Account) => ({ accountId: id, via: 'agencia' as const })

/** What was asked for in the address; what makes no sense there is as if it had not been said. */
const parseFilters = (query: Query): Filters => ({
  estado: choiceParam(query, 'estado', ESTADOS),
  q: textParam(query, 'q'),
  desde: dayParam(query, 'desde'),
  hasta: dayParam(query, 'hasta'),
  antes: textParam(query, 'antes'),
  pagina: Math.min(Math.max(1, numberParam(query, 'pagina') ?? 1), LAST_PAGE),
})
