import type pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, Log, Store } from './db.ts'

/** A place in a feed: between two rows, in the order of the transactions that wrote them. */
export interface FeedPosition {
  /** A 64-bit transaction id, as text: it may pass what a number holds. */
  xid: string
  position: string
}

/** Before everything that is kept. */
export const START: FeedPosition = { xid: '0', position: '0' }

/**
 * Whether a row may be shown in a feed. An id or a sequence is given before the commit, so following them would skip what
 * commits late: only transactions older than any that still runs are shown, in the order of their own ids. A late one
 * holds back those after it until it ends, and none can come to stand before what was read.
 */
export const isSettled = (xid: Sql): Sql => sql`${xid} < feed_horizon()`

/** The place where whatever is yet to be seen begins. */
export async function feedEnd(db: Db): Promise<FeedPosition> {
  const [row] = await db.query<{ xid: string }>(sql`select feed_horizon()::text as xid`)
  return { xid: row?.xid ?? '0', position: '0' } // positions begin at 1
}

/**
 * Goes on where feeds were, after the store was restored on another server whose transactions have lower ids: what is
 * kept stays in its place, what comes stands after it, and the cursors that readers hold stay good. Asked at every start;
 * the furthest row of each feed is the first of its index, so it costs nothing.
 */
export async function continueFeeds(store: Store, log?: Log): Promise<void> {
  const offset = await store.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('feeds', 0))`)
    const [row] = await tx.query<{ offset: string }>(sql`
      with furthest as (
        select max(xid::text::bigint) as xid from (
          select e.xid from apps a cross join lateral (
            select xid from events where app_id = a.id order by xid desc limit 1) e
          union all select f.xid from unnest(array['produccion', 'prueba']) m cross join lateral (
            (select xid from publicaciones where modo = m order by xid desc limit 1)
            union all (select xid from agencias where modo = m order by xid desc limit 1)) f
        ) each
      ), here as (
        select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
          feed_horizon()::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint as present
      )
      select (furthest.xid + 1 - next)::text as offset from furthest, here where furthest.xid >= next + present`)
    if (row) for (const statement of feedsFrom(row.offset)) await tx.query(raw(statement))
    return row?.offset
  })
  if (offset !== undefined) log?.info({ offset }, 'store: restored from another server; feeds go on where they were')
}

/** How transactions are counted in feeds: by PostgreSQL's own ids, and so many more. */
const feedsFrom = (offset: string): string[] => [
  `create or replace function feed_xid() returns xid8 language sql stable
    as 'select (pg_current_xact_id()::text::bigint + ${offset})::text::xid8'`,
  `create or replace function feed_horizon() returns xid8 language sql stable
    as 'select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${offset})::text::xid8'`,
]

/** More transactions than a store sees between a backup and its loss. */
const UNSEEN = 1_000_000_000n

/**
 * After a restore, within its transaction: what comes stands behind every cursor that was handed out, those too that
 * were handed out after the backup was made, of which it knows nothing.
 */
export async function continueFeedsAfter(client: pg.Client, horizon: string): Promise<void> {
  const { rows } = await client.query<{ next: string }>(`select pg_snapshot_xmax(pg_current_snapshot())::text as next`)
  const next = BigInt(rows[0]?.next ?? 0)
  for (const statement of feedsFrom(String(BigInt(horizon) + UNSEEN - next))) await client.query(statement)
}
