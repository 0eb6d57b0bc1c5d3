import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import { type FeedPosition, isSettled } from '../store/feed.ts'

export interface FeedPage {
  payloads: string[]
  /** After the last event of the page; where it was asked from when there is none. */
  end: FeedPosition
}

/** The app's events after a place, oldest first. */
export async function readFeed(db: Db, app: App, after: FeedPosition, limit: number): Promise<FeedPage> {
  const rows = await db.query<{ payload: string } & FeedPosition>(sql`
    select payload, xid::text, position::text from events
    where app_id = ${app.id} and (xid, position) > (${after.xid}::xid8, ${after.position}::bigint)
      and ${isSettled(sql`xid`)}
    order by events.xid, events.position limit ${limit}`)
  const last = rows.at(-1)
  return {
    payloads: rows.map(({ payload }) => payload),
    end: last ? { xid: last.xid, position: last.position } : after,
  }
}
