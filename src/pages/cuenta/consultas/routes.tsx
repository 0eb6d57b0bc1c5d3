import type { FastifyReply } from 'fastify'
import { addDays, dayOf, momentAt } from '../../../http/dates.ts'
import { fault, forbidden, invalid, notFound } from '../../../http/problems.ts'
import { message, t } from '../../../i18n/messages.tsx'
import { assignConsultas } from '../../../resources/consultas/assign.ts'
import { type Consulta, ESTADOS } from '../../../resources/consultas/consulta.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { addNote, NOTE_CHARACTERS } from '../../../resources/consultas/history.ts'
import { findConsulta, lockConsulta } from '../../../resources/consultas/read.ts'
import { setReminder } from '../../../resources/consultas/reminders.ts'
import { unassignedTo } from '../../../resources/consultas/scope.ts'
import type { Db } from '../../../store/db.ts'
import { normalizeLines } from '../../../text.ts'
import { CONFIRMATION_FORM, formRoute } from '../../form.ts'
import type { Refused } from '../../form-fields.tsx'
import { isErased } from '../../labels.tsx'
import { serveList } from '../../list.tsx'
import { listPath } from '../../list-form.ts'
import { page } from '../../page.ts'
import { type BySid, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { ASSIGN_FORM, assigneeOf } from '../assign.tsx'
import { type AccountContext, type AccountPages, type AgencyContext, agencyPath } from '../context.tsx'
import { consultaPage } from './consulta.tsx'
import { CONSULTAS, consultasList, scopeOf } from './list.tsx'

const NOTE_FORM = formRoute(NOTE_CHARACTERS)
const REMINDER_FORM = formRoute(40)
const MAX_REMINDER_DAYS = 366

/** /cuenta/consultas and …/{sid}: inquiries, for the people who answer them. The audit log has each read. */
export function accountConsultasRoutes({ persona: app, vendedor }: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(vendedor, '/consultas', deps, consultasList(store))

  /** An inquiry of an agency where the person works, if they may see it; the same 404 for every reason. */
  async function find(own: AccountContext, sid: string): Promise<{ ctx: AgencyContext; consulta: Consulta }> {
    for (const agencia of own.all) {
      const ctx = { ...own, agencia }
      const consulta = await findConsulta(store, await scopeOf(store, ctx), sid)
      if (consulta) return { ctx, consulta }
    }
    throw notFound(t('cuenta.inquiries.noSuch'))
  }

  /** Changes what is stored about the person of an inquiry, unless they were erased; the lock keeps an erasure from missing it. */
  async function changeLocked(own: AccountContext, sid: string, work: (tx: Db, consulta: Consulta) => Promise<void>) {
    const { ctx } = await find(own, sid)
    await store.transaction(async (tx) => {
      const consulta = await lockConsulta(tx, await scopeOf(tx, ctx), sid)
      if (!consulta) throw notFound(t('cuenta.inquiries.noSuch'))
      if (isErased(consulta)) throw erased()
      await work(tx, consulta)
    })
  }

  /** Opening a new inquiry marks it as read. */
  async function opened(ctx: AgencyContext, consulta: Consulta): Promise<Consulta> {
    if (consulta.estado !== 'nueva' || isErased(consulta)) return consulta
    const { agencia, account } = ctx
    const change = { agencia, scope: await scopeOf(store, ctx), sid: consulta.sid, estado: 'leida' } as const
    return (await changeEstado(deps, { ...change, from: 'nueva', by: { accountId: account.id } })) ?? consulta
  }

  /** The page of an inquiry; with the faults of a form that was refused, which does not set it to `leida`. */
  async function show(reply: FastifyReply, own: AccountContext, sid: string, refused?: Refused): Promise<FastifyReply> {
    const { ctx, consulta: before } = await find(own, sid)
    if (refused && isErased(before)) throw erased() // its page has no form that could show the faults
    // A refused form shows the person's data too, and does not open the inquiry.
    await ctx.audit('consulta.leer', sid, refused && { formulario: 'rechazado' })
    const consulta = refused ? before : await opened(ctx, before)
    return page(reply, await consultaPage(store, ctx, consulta, refused), refused ? 400 : 200)
  }

  app.get<BySid>('/consultas/:sid', ({ params: { sid }, ctx }, reply) => show(reply, ctx, sid))

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

  vendedor.post('/consultas/asignar', ASSIGN_FORM, async (request, reply) => {
    const { ctx, form } = request
    const sids = form.getAll('sid')
    const list = listPath(CONSULTAS, request)
    if (sids.length === 0) return redirectWithNotice(reply, 'asignar-nada', list)
    const assigned = await assign(ctx, sids, form)
    return redirectWithNotice(reply, assigned.length > 0 ? 'asignadas' : 'asignadas-antes', list)
  })

  app.post<BySid>('/consultas/:sid/asignar', CONFIRMATION_FORM, async ({ ctx: own, params: { sid }, form }, reply) => {
    const { ctx } = await find(own, sid)
    const assigned = await assign(ctx, [sid], form)
    // A colleague may have taken it meanwhile: its page would be a 404.
    if (assigned.length === 0) return redirectWithNotice(reply, 'asignadas-antes', agencyPath(ctx, CONSULTAS))
    return redirectWithNotice(reply, 'asignada', `${CONSULTAS}/${sid}`)
  })

  app.post<BySid>('/consultas/:sid/notas', NOTE_FORM, async ({ ctx: own, params: { sid }, form }, reply) => {
    const note = normalizeLines(form.get('Nota') ?? '')
    const error = noteError(note)
    if (error) return show(reply, own, sid, { given: { Nota: note }, errors: { Nota: [error] } })
    await changeLocked(own, sid, (tx) => addNote(tx, sid, own.account.id, note))
    return redirectWithNotice(reply, 'nota', `${CONSULTAS}/${sid}`)
  })

  app.post<BySid>('/consultas/:sid/recordatorio', REMINDER_FORM, async ({ ctx: own, params: { sid }, form }, reply) => {
    const Momento = form.get('Momento') ?? ''
    const moment = form.has('quitar') ? null : momentAt(Momento, own.timeZone)
    if (moment === undefined || (moment && !isSoon(moment, own)))
      return show(reply, own, sid, { given: { Momento }, errors: { Momento: [t('bandeja.reminder.future')] } })
    await changeLocked(own, sid, (tx, consulta) => setReminder(tx, consulta, own.account.id, moment))
    return redirectWithNotice(reply, moment ? 'recordatorio' : 'recordatorio-quitado', `${CONSULTAS}/${sid}`)
  })
}

const erased = () => forbidden(message('cuenta.inquiry.erased'))

function noteError(note: string): string | undefined {
  if (note === '') return t('bandeja.note.empty')
  return note.length > NOTE_CHARACTERS ? t('comun.field.tooLong', { max: NOTE_CHARACTERS }) : undefined
}

/** After now, and within a year. */
const isSoon = (moment: Date, { now, timeZone }: AccountContext): boolean =>
  moment > now && dayOf(moment, timeZone) <= addDays(dayOf(now, timeZone), MAX_REMINDER_DAYS)
