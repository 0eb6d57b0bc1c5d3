import { addDays, dayOf, momentAt } from '../../../http/dates.ts'
import { fault, forbidden, invalid, notFound } from '../../../http/problems.ts'
import { message, t } from '../../../i18n/messages.tsx'
import { assignConsultas } from '../../../resources/consultas/assign.ts'
import { type Consulta, ESTADOS } from '../../../resources/consultas/consulta.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { NOTE_CHARACTERS, recordHistory, timelineOf } from '../../../resources/consultas/history.ts'
import { listingOf } from '../../../resources/consultas/listing.ts'
import { findConsulta } from '../../../resources/consultas/read.ts'
import { reminderOf, setReminder } from '../../../resources/consultas/reminders.ts'
import { unassignedTo } from '../../../resources/consultas/scope.ts'
import { normalizeLines } from '../../../text.ts'
import { CONFIRMATION_FORM, formRoute } from '../../form.ts'
import { isErased } from '../../labels.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { type BySid, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { ASSIGN_FORM, assigneeOf } from '../assign.tsx'
import { type AccountContext, type AccountPages, type AgencyContext, agencyPath, atAgency } from '../context.tsx'
import { consultaPage } from './consulta.tsx'
import { CONSULTAS, consultasList, scopeOf } from './list.tsx'

const NOTE_FORM = formRoute(NOTE_CHARACTERS)
const REMINDER_FORM = formRoute(40)
const MAX_REMINDER_DAYS = 366

/** /cuenta/consultas and …/{sid}: inquiries, for the people who answer them. The audit log has each read. */
export function accountConsultasRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/consultas', deps, consultasList(store))

  /** An inquiry of an agency where the person works, if they may see it; the same 404 for every reason. */
  async function find(own: AccountContext, sid: string): Promise<{ ctx: AgencyContext; consulta: Consulta }> {
    for (const agencia of own.all) {
      const ctx = { ...own, agencia }
      const consulta = await findConsulta(store, await scopeOf(store, ctx), sid)
      if (consulta) return { ctx, consulta }
    }
    throw notFound(t('cuenta.inquiries.noSuch'))
  }

  /** The same, unless its person was erased: nothing may be written about them. */
  async function findWithPerson(own: AccountContext, sid: string) {
    const found = await find(own, sid)
    if (isErased(found.consulta)) throw forbidden(message('cuenta.inquiry.erased'))
    return found
  }

  /** Opening a new inquiry marks it as read. */
  async function opened(ctx: AgencyContext, consulta: Consulta): Promise<Consulta> {
    if (consulta.estado !== 'nueva' || isErased(consulta)) return consulta
    const { agencia, account } = ctx
    const change = { agencia, scope: await scopeOf(store, ctx), sid: consulta.sid, estado: 'leida' } as const
    return (await changeEstado(deps, { ...change, by: { accountId: account.id } })) ?? consulta
  }

  app.get<BySid>('/consultas/:sid', async ({ params: { sid }, ctx: own }, reply) => {
    const { ctx, consulta: before } = await find(own, sid)
    await ctx.audit('consulta.leer', sid)
    const consulta = await opened(ctx, before)
    const scope = await scopeOf(store, ctx)
    const first = consulta.repite ? await findConsulta(store, scope, consulta.repite) : undefined
    return page(
      reply,
      consultaPage({
        ...{ ctx, consulta, first: first?.sid },
        listing: await listingOf(store, sid),
        timeline: await timelineOf(store, consulta),
        reminder: await reminderOf(store, sid, ctx.account.id),
      }),
    )
  })

  app.post<BySid>('/consultas/:sid/estado', CONFIRMATION_FORM, async ({ ctx: own, params, form }, reply) => {
    const { sid } = params
    const given = form.get('Estado')
    const estado = ESTADOS.find((each) => each === given)
    if (!estado) throw invalid({ Estado: [fault('opcion', t('cuenta.inquiries.noSuchState'))] })
    const { ctx } = await find(own, sid)
    const { agencia, account } = ctx
    const scope = await scopeOf(store, ctx)
    await changeEstado(deps, { agencia, scope, sid, estado, by: { accountId: account.id } })
    return redirectWithNotice(reply, 'estado', `${CONSULTAS}/${sid}`)
  })

  /** Salespeople take unassigned inquiries only: nobody takes one from a colleague. */
  async function assign(ctx: AgencyContext, sids: string[], form: URLSearchParams): Promise<Consulta[]> {
    const { agencia, account } = ctx
    const { email: operador } = assigneeOf(ctx, form)
    const scope = await scopeOf(store, ctx)
    const unassigned = scope.operadores && (await unassignedTo(store, agencia, account.email))
    const operadores = unassigned?.filter((email) => scope.operadores?.includes(email))
    return assignConsultas(deps, { agencia, scope: { ...scope, operadores }, sids, operador, by: account })
  }

  app.post('/consultas/asignar', ASSIGN_FORM, async ({ ctx: own, form }, reply) => {
    const ctx = atAgency(own)
    const sids = form.getAll('sid')
    const list = agencyPath(ctx, CONSULTAS)
    if (sids.length === 0) return redirectWithNotice(reply, 'asignar-nada', list)
    await assign(ctx, sids, form)
    return redirectWithNotice(reply, 'asignadas', list)
  })

  app.post<BySid>('/consultas/:sid/asignar', CONFIRMATION_FORM, async ({ ctx: own, params: { sid }, form }, reply) => {
    const { ctx } = await find(own, sid)
    await assign(ctx, [sid], form)
    return redirectWithNotice(reply, 'asignada', `${CONSULTAS}/${sid}`)
  })

  app.post<BySid>('/consultas/:sid/notas', NOTE_FORM, async ({ ctx: own, params: { sid }, form }, reply) => {
    const { ctx } = await findWithPerson(own, sid)
    const detail = normalizeLines(form.get('Nota') ?? '')
    if (detail === '') throw invalid({ Nota: [fault('requerido', t('bandeja.note.empty'))] })
    if (detail.length > NOTE_CHARACTERS)
      throw invalid({ Nota: [fault('muy-largo', t('comun.field.tooLong', { max: NOTE_CHARACTERS }))] })
    await recordHistory(store, [sid], { kind: 'nota', detail, by: { accountId: ctx.account.id } })
    return redirectWithNotice(reply, 'nota', `${CONSULTAS}/${sid}`)
  })

  app.post<BySid>('/consultas/:sid/recordatorio', REMINDER_FORM, async ({ ctx: own, params: { sid }, form }, reply) => {
    const { ctx, consulta } = await findWithPerson(own, sid)
    const given = form.has('quitar') ? null : momentAt(form.get('Momento') ?? '', ctx.timeZone)
    if (given === undefined || (given && !isSoon(given, ctx)))
      throw invalid({ Momento: [fault('fuera-de-rango', t('bandeja.reminder.future'))] })
    await setReminder(store, consulta, ctx.account.id, given)
    return redirectWithNotice(reply, given ? 'recordatorio' : 'recordatorio-quitado', `${CONSULTAS}/${sid}`)
  })
}

/** After now, and within a year. */
const isSoon = (moment: Date, { now, timeZone }: AgencyContext): boolean =>
  moment > now && dayOf(moment, timeZone) <= addDays(dayOf(now, timeZone), MAX_REMINDER_DAYS)
