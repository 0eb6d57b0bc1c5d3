import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Modo } from '../modo.ts'
import type { Db } from '../store/db.ts'
import type { Webhook } from './store.ts'

/** What holds back a webhook's deliveries now. */
export interface WebhookStatus {
  /** The breaker is open until then: it failed many times in a row, or asked us to wait. */
  pausedUntil: Date | null
  /** The former secret signs beside the new one until then. */
  formerSecretUntil: Date | null
  disabledBy: 'fallas' | '410' | null
  /** Pending deliveries, counted up to `MAX_COUNTED`. */
  waiting: number
}

export const MAX_COUNTED = 10_000

export async function webhookStatus(db: Db, webhookId: number): Promise<WebhookStatus> {
  const [status] = await db.query<WebhookStatus>(sql`
    select case when paused_until > now() then paused_until end as "pausedUntil",
           case when former_secret_until > now() then former_secret_until end as "formerSecretUntil",
           disabled_by as "disabledBy",
           (select count(*) from (
             select from deliveries where webhook_id = w.id and estado = 'pendiente' limit ${MAX_COUNTED}) pending) as waiting
    from webhooks w where id = ${webhookId}`)
  return status ?? { pausedUntil: null, formerSecretUntil: null, disabledBy: null, waiting: 0 }
}

export interface FailingWebhook
  extends Pick<Webhook, 'id' | 'topic' | 'destino' | 'description' | 'failures' | 'lastError' | 'disabledAt'> {
  app: { appKey: string; nombre: string; modo: Modo }
  since: Date | null
}

const MAX_LISTED = 20

/** Active webhooks that fail or were disabled, the longest failing first. */
export const failingWebhooks = (db: Db): Promise<FailingWebhook[]> =>
  db.query<FailingWebhook>(sql`
    select w.id, json_build_object('appKey', a.app_key, 'nombre', a.nombre, 'modo', a.modo) as app, w.topic, w.destino, w.description,
           w.failing_since as since, w.failures, w.last_error as "lastError", w.disabled_at as "disabledAt"
    from webhooks w join apps a on a.id = w.app_id
    where w.activo and (w.failing_since is not null or w.disabled_at is not null) and a.disabled_at is null
    order by coalesce(w.failing_since, w.disabled_at) limit ${MAX_LISTED}`)

/** Whether an app has deliveries that were given up, and neither resent nor deleted since. */
export async function hasFailedDeliveries(db: Db, { id }: Pick<App, 'id'>): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select from deliveries where app_id = ${id} and estado = 'fallida') as found`)
  return row?.found ?? false
}

interface PendingDeliveries {
  /** Counted up to `MAX_COUNTED`. */
  count: number
  oldest: Date | null
}

/** The index is by due time, not by age: the oldest row is overdue, or waits longest for its retry. */
const ENDS = 20

/** Deliveries that have not arrived yet, read from the index of due rows queue by queue. */
export async function pendingDeliveries(db: Db): Promise<PendingDeliveries> {
  const [row] = await db.query<PendingDeliveries>(sql`
    select (select count(*) from (
              select from deliveries where estado = 'pendiente' limit ${MAX_COUNTED}) counted) as count,
           (select min(ends.created_at) from webhooks w cross join lateral (
              (select created_at from deliveries where webhook_id = w.id and estado = 'pendiente'
               order by due_at limit ${ENDS})
              union all
              (select created_at from deliveries where webhook_id = w.id and estado = 'pendiente'
               order by due_at desc limit ${ENDS})) ends) as oldest`)
  return row ?? { count: 0, oldest: null }
}
