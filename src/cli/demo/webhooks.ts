import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { HOUR_MS } from '../../clock.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import type { Chance } from '../../sandbox/fiction/chance.ts'
import type { Db } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import { momentOf, ulid } from '../../ulid.ts'
import { addWebhook } from '../../webhooks/store.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { loadAlerts } from './alerts.ts'
import { errorOf, loadDeliveries, type Outage, type PastReceiver } from './deliveries.ts'
import type { Teams } from './teams.ts'

export const CALLBACK = `https://webhooks.gestion-automotor.${TEST_DOMAIN}/rodado`
const OTHER_CALLBACK = `https://crm.motor-norte.${TEST_DOMAIN}/hooks/rodado`
const TOPICS = ['consulta.recibida', 'agencia.registrada'] as const
const DESCRIPTION = 'Consultas al CRM'
const NO_HEADERS: [null, null, null] = [null, null, null]

interface Past {
  chance: Chance
  ago(days: number): Date
  /** When the webhooks were created. */
  since: Date
  publicUrl: string
}

/** The webhooks of both apps, the deliveries of all events so far, and the alerts about outages; the number of deliveries. */
export async function loadWebhooks(
  tx: Db,
  seal: Seal,
  { app, other, developer }: Teams,
  { chance, ago, since, publicUrl }: Past,
): Promise<number> {
  const apps = [app.id, other.id]
  const outages = await pastOutages(tx, app, ago)
  const receivers = await subscribe(tx, seal, [app, other], ago, outages)
  const receiverOf = ({ appId, topic }: { appId: number; topic: string }) => receivers.get(`${appId} ${topic}`)
  const count = await loadDeliveries(tx, apps, receiverOf, chance)
  await dateWebhooks(tx, apps, since)
  const webhook = { topic: TOPICS[0], description: DESCRIPTION }
  await loadAlerts(tx, seal, { app, developer, webhook, outages, publicUrl })
  return count
}

/** Webhooks of both apps: the first's receiver failed twice and recovered, the second's failed until it was disabled. */
async function subscribe(
  tx: Db,
  seal: Seal,
  [app, other]: [App, App],
  ago: (days: number) => Date,
  outages: readonly Outage[],
) {
  const receivers = new Map<string, PastReceiver>()
  const add = async (to: App, topic: Topic, callback: string, past: Pick<PastReceiver, 'outages' | 'disabledAt'>) => {
    const secret = randomBytes(32).toString('base64url')
    const settings = { callback, description: DESCRIPTION, activo: true, headers: NO_HEADERS, secret }
    const webhook = await addWebhook(tx, seal, to, topic, settings)
    if (!webhook) throw new Error(`The app has a webhook for ${topic} already.`)
    receivers.set(`${to.id} ${topic}`, { webhookId: webhook.id, steadyFrom: ago(0.5), ...past })
    return webhook
  }
  for (const topic of TOPICS) await add(app, topic, CALLBACK, { outages })
  const failing = ago(11)
  const disabledAt = ago(6)
  const off = await add(other, 'consulta.recibida', OTHER_CALLBACK, {
    outages: [{ from: failing, until: disabledAt, how: 503 }],
    disabledAt,
  })
  await tx.query(sql`
    update webhooks set failures = 412, failing_since = ${failing}, last_error = ${errorOf(503)}, warnings = 3,
      disabled_at = ${disabledAt}, disabled_by = 'fallas' where id = ${off.id}`)
  return receivers
}

async function pastOutages(tx: Db, app: App, ago: (days: number) => Date): Promise<Outage[]> {
  const hours = (from: Date, count: number) => ({ from, until: new Date(from.getTime() + count * HOUR_MS) })
  return [
    { ...hours(ago(12.3), 6), how: 503 },
    { ...hours(await recentConsulta(tx, app), 1.5), how: 'timeout' },
  ]
}

/** When one of the last inquiries came, long enough ago for its retries. */
async function recentConsulta(tx: Db, app: App): Promise<Date> {
  const [event] = await tx.query<{ id: string }>(sql`
    select id from events where app_id = ${app.id} and topic = 'consulta.recibida' and created_at < now() - interval '4 hours'
    order by id desc offset 3 limit 1`)
  return momentOf(event?.id ?? ulid(0))
}

/** When each was created, first answered and last received something. */
const dateWebhooks = (tx: Db, apps: number[], since: Date): Promise<unknown> =>
  tx.query(sql`
    update webhooks w
    set created_at = ${since}, updated_at = ${since}, verified_at = ${since},
      last_delivery_at = (select max(settled_at) from deliveries d where d.webhook_id = w.id and d.estado = 'entregada')
    where app_id = any (${apps}::int[])`)
