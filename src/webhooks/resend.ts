import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { deliveryIdSql, eventIdOf } from './delivery-ids.ts'
import { enqueuePending } from './ordered.ts'
import { endPause, type Webhook } from './store.ts'

export type WebhookRef = Pick<Webhook, 'id' | 'appId' | 'topic' | 'destino' | 'agencias' | 'enOrden'>

/** Selects events `e` of the agencies whose events the webhook gets. */
export const isWanted = (webhook: Pick<WebhookRef, 'agencias'> | undefined): Sql =>
  webhook?.agencias ? sql`e.agencia_id = any (${webhook.agencias}::int[])` : sql`true`

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
export async function resendAll(tx: Db, webhook: WebhookRef, condition: Sql, limit = MAX_AT_ONCE): Promise<Resent> {
  const { id, appId, topic, destino, enOrden } = webhook
  const deliveryId = deliveryIdSql(sql`e.id`, destino)
  const [sent] = await tx.query<{ count: number; last: string }>(sql`
    with chosen as (
      select ${deliveryId} as id, row_number() over (order by e.id) as nth
      from events e left join deliveries d on d.id = ${deliveryId}
      where e.app_id = ${appId} and e.topic = ${topic} and ${isWanted(webhook)} and ${condition}
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
    if (enOrden) await enqueuePending(tx, id)
    tx.notify(`deliveries:${id}`)
  }
  return { count, last: count === limit && sent ? eventIdOf(sent.last) : undefined }
}
