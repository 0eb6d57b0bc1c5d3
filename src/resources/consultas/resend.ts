import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { DAY_MS } from '../../clock.ts'
import { type FaultMap, fault, invalid, notFound } from '../../http/problems.ts'
import { message, t } from '../../i18n/messages.tsx'
import type { Db, Joining } from '../../store/db.ts'
import { firstUlid } from '../../ulid.ts'
import { type EventRow, insertEvents } from '../../webhooks/events.ts'
import { resend } from '../../webhooks/resend.ts'
import { findWebhook, isAvailable, isEnabled, type Webhook } from '../../webhooks/store.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { notYours } from '../agencias/edit.ts'
import { findAgencia } from '../agencias/read.ts'
import type { Consulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { consultaEvents } from './events.ts'
import { findConsulta, lockConsulta } from './read.ts'
import { appScope, lockAppsThatSee } from './scope.ts'

const TOPIC = 'consulta.recibida'
const RESEND_DAYS = 30 // docs/decisions/reading-inquiries.md

export const NO_SUCH_CONSULTA = message('problema.noInquiry')

/** The first sid that may still be sent again. */
export const resendableFrom = (now: Date): string => firstUlid(new Date(now.getTime() - RESEND_DAYS * DAY_MS))

/** The event that is sent again, and its receiver. */
interface ResentConsulta {
  callback: string
  payload: string
}

/** Sends an inquiry's webhook again; 403 without the agency, 404 without the inquiry, 400 for anything else. */
export async function resendConsulta(
  deps: Joining<ConsultasDeps>,
  app: App,
  { adminMail, sid, traceparent }: { adminMail: string; sid: string; traceparent?: string | undefined },
): Promise<ResentConsulta> {
  const { store } = deps
  const agencia = await findAgencia(store, app, adminMail)
  if (!agencia) throw notYours()
  const scope = { agenciaId: agencia.id, app: appScope(app, agencia.permisos) }
  if (!(await findConsulta(store, scope, sid))) throw notFound(NO_SUCH_CONSULTA)
  const webhook = await activeWebhook(deps, app, agencia, sid)

  return store.transaction(async (tx) => {
    // The second of two concurrent requests waits here and finds the event of the first.
    const consulta = await lockConsulta(tx, scope, sid)
    if (!consulta || !(await lockAppsThatSee(tx, consulta)).includes(app.id)) throw notYours()
    const event =
      (await findConsultaEvent(tx, app, sid)) ?? (await createEvent(tx, deps, { app, agencia, consulta, traceparent }))
    await resend(tx, webhook, [event.id])
    return { callback: webhook.callback, payload: event.payload }
  })
}

/** The app's active webhook, if it gets the events of that agency, or 400 with every fault. */
async function activeWebhook(
  { store, seal, clock }: Joining<ConsultasDeps>,
  app: App,
  agencia: AgenciaOfApp,
  sid: string,
): Promise<Webhook> {
  const errors: FaultMap = {}
  if (sid < resendableFrom(clock()))
    errors.sid = [fault('fuera-de-rango', t('problema.fault.oldInquiry', { days: RESEND_DAYS }))]
  const webhook = await findWebhook(store, seal, { app, topic: TOPIC })
  if (!webhook || !isEnabled(webhook) || !isAvailable(app, TOPIC))
    errors._ = [fault('sin-webhook', t('problema.fault.noActiveWebhook', { topic: TOPIC }))]
  else if (webhook.agencias?.includes(agencia.id) === false)
    errors._ = [fault('sin-webhook', t('problema.fault.notItsAgencia', { topic: TOPIC }))]
  if (!webhook || Object.keys(errors).length > 0) throw invalid(errors)
  return webhook
}

type StoredEvent = Pick<EventRow, 'id' | 'payload'>

const findConsultaEvent = (tx: Db, app: App, sid: string): Promise<StoredEvent | undefined> =>
  tx.first<StoredEvent>(sql`
    select id, payload from events where sid = ${sid} and app_id = ${app.id} and topic = ${TOPIC} order by id limit 1`)

interface UnseenConsulta {
  app: App
  agencia: AgenciaOfApp
  consulta: Consulta
  traceparent: string | undefined
}

/** The event of an inquiry that the app did not see yet when it arrived. */
async function createEvent(
  tx: Db,
  { clock, config: { timeZone, country } }: Joining<ConsultasDeps>,
  { app, agencia, consulta, traceparent }: UnseenConsulta,
): Promise<StoredEvent> {
  const options = { topic: TOPIC, moment: clock(), timeZone, country, traceparent } as const
  const [event] = consultaEvents([app.id], consulta, agencia, options) as [EventRow]
  await insertEvents(tx, [event])
  return event
}
