import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

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

export const MOST_COUNTED = 10_000
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
