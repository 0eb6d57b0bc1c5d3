import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { endPause, type Webhook } from './store.ts'

export type WebhookRef = Pick<Webhook, 'id' | 'appId' | 'topic'>

/** So many fit into the time limit of a statement. */
const MAX_AT_ONCE = 250_000

export interface Resent {
  count: number
  /** The last id, if there are more than one statement takes. */
  last: string | undefined
}

/** Resends events of a webhook's topic under their own ids; returns how many there were. */
export const resend = async (tx: Db, webhook: WebhookRef, eventIds: readonly string[]): Promise<number> =>
  (await resendAll(tx, webhook, sql`e.id = any (${eventIds}::text[])`)).count

/**
 * Resends what a condition on the event `e` and its delivery `d` selects, oldest first, in one statement. An event
 * without a delivery gets one; any other is due now and starts its schedule again. The microseconds keep their order. A
 * leased delivery keeps its lease, so that it is not sent twice at once; `attempts = 0` tells its worker that a failure
 * is not the end.
 */
export async function resendAll(
  tx: Db,
  { id, appId, topic }: WebhookRef,
  condition: Sql,
  limit = MAX_AT_ONCE,
): Promise<Resent> {
  const [sent] = await tx.query<{ count: number; last: string }>(sql`
    with chosen as (
      select e.id, row_number() over (order by e.id) as nth
      from events e left join deliveries d on d.id = e.id
      where e.app_id = ${appId} and e.topic = ${topic} and ${condition}
      order by e.id limit ${limit}
    ), put as (
      insert into deliveries as row (id, app_id, webhook_id, due_at)
      select id, ${appId}, ${id}, now() + nth * interval '1 microsecond' from chosen order by id
      on conflict (id) do update
        set estado = 'pendiente', webhook_id = excluded.webhook_id, last_error = null, settled_at = null,
            carried = row.carried + row.attempts, attempts = 0,
            due_at = case when row.leased_until > now() then row.due_at else excluded.due_at end
      returning row.id
    )
    select count(*), max(id) as last from put`)
  const count = sent?.count ?? 0
  if (count > 0) {
    await endPause(tx, id)
    tx.notify(`deliveries:${id}`)
  }
  return { count, last: count === limit ? sent?.last : undefined }
}
