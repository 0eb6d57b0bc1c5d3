import sql, { type Sql } from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import { isVisibleInFeed } from '../store/feed.ts'
import { eventIdSql } from './delivery-ids.ts'

/*
 * Webhooks with `EnOrden` get the events of an agency one at a time, in the order of the feed. `ordered_deliveries` has
 * their unsettled deliveries; all but the first of each agency are due at infinity, so that no worker claims them. Once the
 * first is settled, delivered or not, the next is released.
 */

/** The first unsettled delivery of an agency. */
interface Head {
  webhookId: number
  agenciaId: number
  deliveryId: string
  /** `waiting`: not due before it is released. `settled`: or deleted. */
  state: 'waiting' | 'due' | 'settled'
}

/** Makes the first delivery of each agency due: of these webhooks, or of all. */
export async function releaseOrdered(store: Store, webhookIds?: readonly number[]): Promise<void> {
  const queues = webhookIds ?? (await readQueues(store))
  if (queues.length === 0) return
  const heads = await readHeads(store, queues)
  const waiting = heads.filter(({ state }) => state === 'waiting')
  if (waiting.length > 0)
    await store.query(sql`
      update deliveries set due_at = now()
      where id = any (${waiting.map(({ deliveryId }) => deliveryId)}::text[]) and estado = 'pendiente' and due_at = 'infinity'`)
  const settled = heads.filter(({ state }) => state === 'settled')
  if (settled.length === 0) return
  await deleteSettled(store, settled)
  await releaseOrdered(store, [...new Set(settled.map(({ webhookId }) => webhookId))])
}

/** The webhooks with entries, by a step through the index for each. */
async function readQueues(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`/* read ordered queues */
    with recursive queues (id) as (
      (select webhook_id from ordered_deliveries order by webhook_id limit 1)
      union all
      select (select webhook_id from ordered_deliveries where webhook_id > queues.id order by webhook_id limit 1)
      from queues where queues.id is not null
    )
    select id from queues where id is not null`,
    'keep-plan',
  )
  return rows.map(({ id }) => id)
}

/**
 * A few steps through the index for each agency. A delivery that the feed does not show yet counts as due: an earlier one may
 * commit. The queues are read by a statement of their own: for both recursions in one, PostgreSQL expects so many rows that
 * the cost passes `jit_above_cost`, and compiles it each time.
 */
const readHeads = (db: Db, webhookIds: readonly number[]): Promise<Head[]> =>
  db.query<Head>(
    sql`/* read ordered */
    with recursive queues (id) as (select unnest(${webhookIds}::int[])), heads as (
      select first.* from queues cross join lateral (${firstOf(sql`o.webhook_id = queues.id`)}) first
      union all
      select next.* from heads cross join lateral (
        ${firstOf(sql`o.webhook_id = heads.webhook_id and o.agencia_id > heads.agencia_id`)}) next
    )
    select webhook_id as "webhookId", agencia_id as "agenciaId", delivery_id as "deliveryId",
      coalesce((
        select case when d.estado <> 'pendiente' then 'settled'
          when d.due_at = 'infinity' and ${isVisibleInFeed(sql`heads.xid`)} then 'waiting' else 'due' end
        from deliveries d where d.id = heads.delivery_id), 'settled') as state
    from heads`,
    'keep-plan',
  )

const firstOf = (entries: Sql): Sql => sql`
  select o.webhook_id, o.agencia_id, o.xid, o.delivery_id from ordered_deliveries o where ${entries}
  order by o.agencia_id, o.xid, o.position limit 1`

/** Events that were deleted, or discarded elsewhere. The lock keeps out a resend, which makes a settled delivery wait again. */
const deleteSettled = (store: Store, heads: readonly Head[]): Promise<void> =>
  store.transaction(async (tx) => {
    await lockWebhooks(
      tx,
      heads.map(({ webhookId }) => webhookId),
    )
    await tx.query(sql`
      delete from ordered_deliveries o
      using unnest(${heads.map(({ webhookId }) => webhookId)}::int[], ${heads.map(({ agenciaId }) => agenciaId)}::int[])
        as head (webhook_id, agencia_id)
      where o.webhook_id = head.webhook_id and o.agencia_id = head.agencia_id
        and not exists (select from deliveries d where d.id = o.delivery_id and d.estado = 'pendiente')`)
  })

const lockWebhooks = (tx: Db, ids: readonly number[]): Promise<unknown> =>
  tx.query(sql`select from webhooks where id = any (${ids}::int[]) order by id for no key update`)

/** In the transaction that settles deliveries of ordered webhooks: the next ones may follow. */
export async function passOrdered(tx: Db, rows: readonly { id: string; queue: number }[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(sql`
    delete from ordered_deliveries o using deliveries d
    where o.delivery_id = any (${rows.map(({ id }) => id)}::text[]) and d.id = o.delivery_id and d.estado <> 'pendiente'`)
  for (const queue of new Set(rows.map(({ queue }) => queue))) tx.notify(`deliveries:${queue}`)
}

/**
 * In the transaction that resends deliveries, or makes a webhook ordered: what is pending waits for its place. The first of an
 * agency keeps the time of its retry, because each attempt uses one of its schedule; the feed has shown it before.
 */
export async function enqueuePending(tx: Db, webhookId: number): Promise<void> {
  await lockWebhooks(tx, [webhookId])
  const isFree = sql`d.estado = 'pendiente' and (d.leased_until is null or d.leased_until <= now())`
  await tx.query(sql`
    insert into ordered_deliveries (webhook_id, agencia_id, xid, position, delivery_id)
    select ${webhookId}, coalesce(e.agencia_id, 0), e.xid, e.position, d.id
    from deliveries d join events e on e.id = ${eventIdSql(sql`d.id`)}
    where d.webhook_id = ${webhookId} and ${isFree}
    on conflict (delivery_id) do nothing`)
  await tx.query(sql`
    update deliveries d set due_at = 'infinity' from ordered_deliveries o
    where o.webhook_id = ${webhookId} and d.id = o.delivery_id and ${isFree} and d.due_at < 'infinity' and (
      d.due_at <= now() and not ${isVisibleInFeed(sql`o.xid`)}
      or exists (
        select from ordered_deliveries earlier
        where earlier.webhook_id = o.webhook_id and earlier.agencia_id = o.agencia_id
          and (earlier.xid, earlier.position) < (o.xid, o.position)))`)
  tx.notify(`deliveries:${webhookId}`)
}

/** In the transaction that ends the order of a webhook: everything pending is due. */
export async function dequeueAll(tx: Db, webhookId: number): Promise<void> {
  await tx.query(sql`delete from ordered_deliveries where webhook_id = ${webhookId}`)
  await tx.query(sql`
    update deliveries set due_at = now()
    where webhook_id = ${webhookId} and estado = 'pendiente' and due_at = 'infinity'`)
}
