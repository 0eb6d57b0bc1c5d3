import sql, { raw } from 'sql-template-tag'
import type { Store } from '../store/db.ts'
import { firstUlid } from './ulid.ts'

const KEPT_DAYS = 90 // decisions, 7 and 8
const DAY_MS = 86_400_000
const BATCH = 5_000

/** Where the ids of events stand; those without an event any more go first. */
const PLACES = [
  ['delivery_attempts', 'delivery_id'],
  ['deliveries', 'id'],
  ['events', 'id'],
] as const

/** Forgets events, deliveries and attempts that are too old, some at a time: an id says when it was made. */
export async function sweepEvents(store: Store, now: Date): Promise<void> {
  const oldest = firstUlid(new Date(now.getTime() - KEPT_DAYS * DAY_MS))
  for (const [table, column] of PLACES) {
    const [from, id] = [raw(table), raw(column)]
    for (let gone = BATCH; gone === BATCH; ) {
      const rows = await store.query(sql`
        delete from ${from} where ctid = any (array(
          select ctid from ${from} where ${id} < ${oldest} order by ${id} limit ${BATCH} for update skip locked))
        returning 1`)
      gone = rows.length
    }
  }
}
