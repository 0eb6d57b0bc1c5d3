import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'

/** A place in an app's feed: between two events, in the order of the transactions that wrote them. */
export interface FeedPosition {
  /** A 64-bit transaction id, as text: it may pass what a number holds. */
  xid: string
  position: string
}

export interface FeedPage {
  payloads: string[]
  /** After the last event of the page; where it was asked from when there is none. */
  end: FeedPosition
}

/** Before everything that is kept. */
export const START: FeedPosition = { xid: '0', position: '0' }

/**
 * The app's events after a place, oldest first. An id or a sequence is given before the commit, so following them would
 * skip what commits late: only transactions older than any that still runs are shown, in the order of their own ids. A
 * late one holds back those after it until it ends, and none can come to stand before what was read.
 */
export async function readFeed(db: Db, app: App, after: FeedPosition, limit: number): Promise<FeedPage> {
  const rows = await db.query<{ payload: string } & FeedPosition>(sql`
    select payload, xid::text, position::text from events
    where app_id = ${app.id} and (xid, position) > (${after.xid}::xid8, ${after.position}::bigint)
      and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by events.xid, events.position limit ${limit}`)
  const last = rows.at(-1)
  return {
    payloads: rows.map(({ payload }) => payload),
    end: last ? { xid: last.xid, position: last.position } : after,
  }
}

/** The place where whatever is yet to be seen begins. */
export async function feedEnd(db: Db): Promise<FeedPosition> {
  const [row] = await db.query<{ xid: string }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xid`)
  return { xid: row?.xid ?? '0', position: '0' } // positions begin at 1
}
