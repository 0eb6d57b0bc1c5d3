import { createSecretKey, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Config } from '../../config.ts'
import { fault, invalid } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import type { Db, Joining } from '../../store/db.ts'
import { buildEvent, publishTo } from '../../webhooks/events.ts'
import { attemptHeaders, fixedHeaders, userAgentOf } from '../../webhooks/headers.ts'
import { openSender, type SenderOptions, type SendResult } from '../../webhooks/send/send.ts'
import { endPause, isEnabled, type Webhook, type WebhookTarget } from '../../webhooks/store.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { visibleWebhook } from './configure.ts'
import { sampleEvent } from './samples.ts'
import type { NotificacionesDeps } from './settings.ts'

export const offFault = () => fault('sin-webhook', t('problema.fault.off'))

/** Publishes an event with sample data, which only this webhook gets; returns its id. */
export async function sendTest(
  deps: Joining<NotificacionesDeps>,
  target: WebhookTarget,
  traceparent?: string,
): Promise<string> {
  const { store, clock, config } = deps
  const { app, topic } = target
  return store.transaction(async (tx) => {
    const webhook = await visibleWebhook({ ...deps, store: tx }, target)
    if (!isEnabled(webhook)) throw invalid({ _: [offFault()] })
    await endPause(tx, webhook.id)
    return publishTo(tx, webhook, { ...sampleEvent(app, topic as Topic, clock(), config.timeZone), traceparent })
  })
}

/** How a receiver answered an event that was signed wrongly on purpose. */
export interface ReceiverCheck {
  topic: string
  at: Date
  status: number | null
  refused: boolean
  /** The error if it did not answer. */
  detail: string | null
}

async function insertCheck(db: Db, app: App, { topic, status, refused, detail }: Omit<ReceiverCheck, 'at'>) {
  await db.query(sql`
    insert into receiver_checks (app_id, topic, status, refused, detail)
    values (${app.id}, ${topic}, ${status}, ${refused}, ${detail})`)
}

export const lastCheck = (db: Db, app: App): Promise<ReceiverCheck | undefined> =>
  db.first<ReceiverCheck>(sql`
    select topic, at, status, refused, detail from receiver_checks where app_id = ${app.id} order by id desc limit 1`)

interface ForgeDeps extends NotificacionesDeps {
  config: NotificacionesDeps['config'] & Pick<Config, 'publicUrl'>
  /** For tests: their certificate and shorter timeouts. */
  sending?: Pick<SenderOptions, 'ca' | 'times'>
}

/** How a receiver refuses a signature; 404 or 500 may have any reason. */
const REFUSALS = new Set([400, 401, 403, 422])
const UNSIGNED = fault('sin-webhook', 'El webhook no tiene Secret: sin él, el receptor no puede comprobar quién envía.')

/** Signed with a random key. Not stored as an event, not retried, and not counted for health. */
export async function sendForged(deps: ForgeDeps, app: App, topic: string): Promise<Omit<ReceiverCheck, 'at'>> {
  const { store, clock, config } = deps
  const webhook = await visibleWebhook(deps, { app, topic })
  if (app.disabled || !isEnabled(webhook)) throw invalid({ _: [offFault()] })
  if (webhook.secretHint === null) throw invalid({ _: [UNSIGNED] })

  const { id, payload } = buildEvent(sampleEvent(app, topic as Topic, clock(), config.timeZone))
  const call = await post(deps, app, webhook, id, payload)
  const check = {
    topic,
    status: call.status,
    refused: REFUSALS.has(call.status ?? 0),
    detail: call.status === null ? call.error : null,
  }
  await insertCheck(store, app, check)
  return check
}

/** With the sender of all deliveries and its SSRF guard. */
async function post(
  { clock, config, sending }: ForgeDeps,
  app: App,
  { topic, callback, headers: custom }: Webhook,
  id: string,
  body: string,
): Promise<SendResult> {
  const keys = [createSecretKey(randomBytes(32))]
  const own = custom.flatMap((header) => (header ? [header.Name, header.Value] : []))
  const headers = fixedHeaders(topic, userAgentOf(config.publicUrl), own)
  const attempt = { id, number: 1, traceparent: null }
  const { origin, pathname, search } = new URL(callback)
  const sender = openSender({ config, clock, ...sending })
  try {
    const target = { key: origin, origin, appRanges: app.privateCallbacks, path: pathname + search, headers }
    return await sender.send(
      target,
      attemptHeaders(attempt, { topic, keys }, body, clock()),
      body,
      new AbortController().signal,
    )
  } finally {
    sender.close()
  }
}
