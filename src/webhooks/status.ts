import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/** What stands in the way of a webhook's deliveries at this moment, for whoever wonders why nothing arrives. */
export interface Visibility {
  /** The breaker is open until then: it failed many times in a row, or asked for rest. */
  pausedUntil: Date | null
  /** The former secret signs beside the new one until then. */
  formerSecretUntil: Date | null
  disabledBy: 'fallas' | '410' | null
  /** How many wait to be sent; no further than `MOST_COUNTED`. */
  waiting: number
}

/** Counting goes on no longer than anybody would. */
export const MOST_COUNTED = 10_000

export async function visibilityOf(db: Db, webhookId: number): Promise<Visibility> {
  const [visibility] = await db.query<Visibility>(sql`
    select case when paused_until > now() then paused_until end as "pausedUntil",
           case when former_secret_until > now() then former_secret_until end as "formerSecretUntil",
           disabled_by as "disabledBy",
           (select count(*) from (
             select from deliveries where webhook_id = w.id and estado = 'pendiente' limit ${MOST_COUNTED}) pending) as waiting
    from webhooks w where id = ${webhookId}`)
  return visibility ?? { pausedUntil: null, formerSecretUntil: null, disabledBy: null, waiting: 0 }
}

/** A webhook that somebody should look at. */
export interface Ailing {
  id: number
  app: { appKey: string; nombre: string; modo: 'produccion' | 'prueba' }
  topic: string
  /** Since when it only fails. */
  since: Date | null
  failures: number
  lastError: string | null
  /** Set where it was switched off: it failed for days, or answered 410. */
  disabledAt: Date | null
}

const MOST = 20

/** Active webhooks that fail or were switched off, the longest first. Webhooks are few: every one is looked at. */
export const ailingWebhooks = (db: Db): Promise<Ailing[]> =>
  db.query<Ailing>(sql`
    select w.id, json_build_object('appKey', a.app_key, 'nombre', a.nombre, 'modo', a.modo) as app, w.topic,
           w.failing_since as since, w.failures, w.last_error as "lastError", w.disabled_at as "disabledAt"
    from webhooks w join apps a on a.id = w.app_id
    where w.activo and (w.failing_since is not null or w.disabled_at is not null) and a.disabled_at is null
    order by coalesce(w.failing_since, w.disabled_at) limit ${MOST}`)

export interface Waiting {
  /** Deliveries that have not arrived yet; not counted beyond `MOST_COUNTED`. */
  count: number
  /** When the oldest of them was made. */
  oldest: Date | null
}

/** Of each webhook, so many at either end of its lane: the longest delayed stand at one of them. */
const ENDS = 20

/** What has not arrived yet. Answered by the index of what is due, lane by lane, however many deliveries there are. */
export async function waitingDeliveries(db: Db): Promise<Waiting> {
  const [row] = await db.query<Waiting>(sql`
    select (select count(*) from (
              select from deliveries where estado = 'pendiente' limit ${MOST_COUNTED}) counted) as count,
           (select min(ends.created_at) from webhooks w cross join lateral (
              (select created_at from deliveries where webhook_id = w.id and estado = 'pendiente'
               order by due_at limit ${ENDS})
              union all
              (select created_at from deliveries where webhook_id = w.id and estado = 'pendiente'
               order by due_at desc limit ${ENDS})) ends) as oldest`)
  return row ?? { count: 0, oldest: null }
}
