import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './db.ts'

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
