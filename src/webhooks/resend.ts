import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { endPause, type Webhook } from './subscriptions.ts'

/** Which webhook it goes to. */
export type Destination = Pick<Webhook, 'id' | 'appId' | 'topic'>

/** How many one statement sends again: 100,000 took 3.5 s and 1,000,000 took 20 s on two cores, of the 30 s it has. */
const MOST_AT_ONCE = 250_000

export interface Resent {
  count: number
  /** The last of them, where there are more than one statement takes. */
  last: string | undefined
}

/** Sends those events of a webhook's topic again, under the ids they have; says how many there were. */
export const resend = async (tx: Db, webhook: Destination, eventIds: readonly string[]): Promise<number> =>
  (await resendAll(tx, webhook, sql`e.id = any (${eventIds}::text[])`)).count

/**
 * Sends again what a condition on the event `e` and its delivery `d` chooses, oldest first and in one statement.
 * An event that never had a delivery gets one. One that is settled, or waits for its next attempt, is due now, its
 * schedule from the beginning; they leave in the order they happened, hence the microseconds. One that is just being
 * carried keeps its lease, so that it does not leave twice at once; `attempts = 0` tells its worker that it was asked for
 * again, and that a failure is not the end of it.
 */
export async function resendAll(
  tx: Db,
  { id, appId, topic }: Destination,
  chosen: Sql,
  most = MOST_AT_ONCE,
): Promise<Resent> {
  const [sent] = await tx.query<{ count: number; last: string }>(sql`
    with chosen as (
      select e.id, row_number() over (order by e.id) as turn
      from events e left join deliveries d on d.id = e.id
      where e.app_id = ${appId} and e.topic = ${topic} and ${chosen}
      order by e.id limit ${most}
    ), put as (
      insert into deliveries as row (id, app_id, webhook_id, due_at)
      select id, ${appId}, ${id}, now() + turn * interval '1 microsecond' from chosen order by id
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
  return { count, last: count === most ? sent?.last : undefined }
}
