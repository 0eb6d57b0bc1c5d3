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
