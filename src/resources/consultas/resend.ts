import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { type Errors, forbidden, invalid, notFound } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import { type EventRow, freeze, writeEvents } from '../../webhooks/events.ts'
import { resend } from '../../webhooks/resend.ts'
import { findWebhook, isAvailable, isOn, type Webhook } from '../../webhooks/subscriptions.ts'
import { firstUlid } from '../../webhooks/ulid.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { agenciaRef } from '../agencias/represent.ts'
import { findAgencia } from '../agencias/store.ts'
import type { Consulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { consultaEntry } from './represent.ts'
import { holdAppsThatSee, sightOf } from './sight.ts'
import { findConsulta, lockConsulta } from './store.ts'

const TOPIC = 'consulta.recibida'
const RESEND_DAYS = 30 // decisions, 9
const DAY_MS = 86_400_000

const NOT_YOURS = 'La app no tiene permiso sobre esa agencia.'
export const NO_SUCH_CONSULTA = 'No existe esa consulta para la app.'

/** The first sid that may still be sent again. */
export const resendableFrom = (now: Date): string => firstUlid(new Date(now.getTime() - RESEND_DAYS * DAY_MS))

/** What is sent again, and where to. */
export interface Resent {
  callback: string
  payload: string
}

/** Sends an inquiry's webhook again: 403 without the agency, then 404 without the inquiry, then what stands in the way. */
export async function resendConsulta(
  deps: ConsultasDeps,
  app: App,
  { adminMail, sid, traceparent }: { adminMail: string; sid: string; traceparent?: string | undefined },
): Promise<Resent> {
  const { store } = deps
  const agencia = await findAgencia(store, app, adminMail)
  if (!agencia) throw forbidden(NOT_YOURS)
  const scope = { agenciaId: agencia.id, sight: sightOf(app, agencia.permisos) }
  if (!(await findConsulta(store, scope, sid))) throw notFound(NO_SUCH_CONSULTA)
  const webhook = await activeWebhook(deps, app, sid)

  return store.transaction(async (tx) => {
    // Of two who ask at once, the second waits here, and finds the event that the first has made.
    const consulta = await lockConsulta(tx, scope, sid)
    if (!consulta || !(await holdAppsThatSee(tx, consulta)).includes(app.id)) throw forbidden(NOT_YOURS)
    const event = (await findEvent(tx, app, sid)) ?? (await tellLate(tx, deps, app, agencia, consulta, traceparent))
    await resend(tx, webhook, [event.id])
    return { callback: webhook.callback, payload: event.payload }
  })
}

/** The webhook that it goes to, or everything that stands in the way. */
async function activeWebhook({ store, seal, clock }: ConsultasDeps, app: App, sid: string): Promise<Webhook> {
  const errors: Errors = {}
  if (sid < resendableFrom(clock())) errors.sid = [`La consulta es de hace más de ${RESEND_DAYS} días.`]
  const webhook = await findWebhook(store, seal, app, TOPIC)
  if (!webhook || !isOn(webhook) || !isAvailable(app, TOPIC))
    errors._ = [`La app no tiene un webhook activo para ${TOPIC}.`]
  if (!webhook || Object.keys(errors).length > 0) throw invalid(errors)
  return webhook
}

type Told = Pick<EventRow, 'id' | 'payload'>

async function findEvent(tx: Db, app: App, sid: string): Promise<Told | undefined> {
  const [event] = await tx.query<Told>(sql`
    select id, payload from events where sid = ${sid} and app_id = ${app.id} and topic = ${TOPIC} order by id limit 1`)
  return event
}

/** An inquiry that the app came to see after it was received gets the event it never had, and keeps its id. */
async function tellLate(
  tx: Db,
  { clock, config: { timeZone } }: ConsultasDeps,
  app: App,
  { id, adminMail, nombre }: AgenciaOfApp,
  consulta: Consulta,
  traceparent: string | undefined,
): Promise<Told> {
  const event = freeze({
    appId: app.id,
    topic: TOPIC,
    agencia: { id, adminMail, ...agenciaRef({ adminMail, nombre }) },
    moment: clock(),
    timeZone,
    sid: consulta.sid,
    body: { Consulta: consultaEntry(consulta, adminMail, timeZone) },
    traceparent,
  })
  await writeEvents(tx, [event])
  return event
}
