import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import type { Log } from './circuit-breaker.ts'
import type { Db, Store } from './db.ts'

/** A position in a feed: between two rows, in the order of their transactions. */
export interface FeedPosition {
  /** A 64-bit transaction id, as text because a number may not hold it. */
  xid: string
  position: string
}

/** The position before the first row. */
export const START: FeedPosition = { xid: '0', position: '0' }

/**
 * Whether a row may be shown in a feed. Ids and sequences are assigned before the commit, so following them would skip
 * rows that commit late. Only transactions older than any running one are shown, in the order of their ids.
 */
export const isVisibleInFeed = (xid: Sql): Sql => sql`${xid} < feed_horizon()`

/** The position after everything that can be read now. */
export async function feedEnd(db: Db): Promise<FeedPosition> {
  const [row] = await db.query<{ xid: string }>(sql`select feed_horizon()::text as xid`)
  return { xid: row?.xid ?? '0', position: '0' } // positions begin at 1
}

/**
 * Continues feeds after the store was restored on another server, whose transaction ids are lower: new rows come after
 * the stored ones, and the readers' cursors stay valid. Checked at every start, with one index lookup per feed.
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
    if (row) await tx.query(sql`select set_feed_offset(${row.offset}::bigint)`)
    return row?.offset
  })
  if (offset !== undefined)
    log?.info({ offset }, 'store: restored from another server; feeds continue after the stored rows')
}

/** As `set_feed_offset`, which a backup of an earlier version does not have. */
const feedsFrom = (offset: string): string[] => [
  `create or replace function feed_xid() returns xid8 language sql stable
    as 'select (pg_current_xact_id()::text::bigint + ${offset})::text::xid8'`,
  `create or replace function feed_horizon() returns xid8 language sql stable
    as 'select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${offset})::text::xid8'`,
]

/** More transactions than a store has between a backup and its loss. */
const AFTER_BACKUP = 1_000_000_000n

/** Part of a restore's transaction: new rows come after every cursor, including those issued after the backup. */
export async function continueFeedsAfter(client: pg.Client, horizon: string): Promise<void> {
  const { rows } = await client.query<{ next: string }>(`select pg_snapshot_xmax(pg_current_snapshot())::text as next`)
  const next = BigInt(rows[0]?.next ?? 0)
  for (const statement of feedsFrom(String(BigInt(horizon) + AFTER_BACKUP - next))) await client.query(statement)
}
