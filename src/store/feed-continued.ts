import sql, { raw } from 'sql-template-tag'
import type { Log, Store } from './db.ts'

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
    if (row) {
      await tx.query(
        raw(`create or replace function feed_xid() returns xid8 language sql stable
        as 'select (pg_current_xact_id()::text::bigint + ${row.offset})::text::xid8'`),
      )
      await tx.query(
        raw(`create or replace function feed_horizon() returns xid8 language sql stable
        as 'select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${row.offset})::text::xid8'`),
      )
    }
    return row?.offset
  })
  if (offset !== undefined) log?.info({ offset }, 'store: restored from another server; feeds go on where they were')
}
