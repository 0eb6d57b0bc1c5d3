import sql, { raw } from 'sql-template-tag'
import type { Store } from '../store/db.ts'
import { firstUlid } from '../ulid.ts'

const STORED_DAYS = 90 // docs/decisions.md, "Webhooks and events"
const DAY_MS = 86_400_000
const BATCH = 5_000

/** Tables with ids of events, in the order of deletion. */
const TABLES = [
  ['delivery_attempts', 'delivery_id'],
  ['deliveries', 'id'],
  ['events', 'id'],
] as const

/** Deletes old events, deliveries and attempts in batches; an id contains its time. */
export async function sweepEvents(store: Store, now: Date): Promise<void> {
  const oldest = firstUlid(new Date(now.getTime() - STORED_DAYS * DAY_MS))
  for (const [table, column] of TABLES) {
    const [from, id] = [raw(table), raw(column)]
    for (let deleted = BATCH; deleted === BATCH; ) {
      const rows = await store.query(sql`
        delete from ${from} where ctid = any (array(
          select ctid from ${from} where ${id} < ${oldest} order by ${id} limit ${BATCH} for update skip locked))
        returning 1`)
      deleted = rows.length
    }
  }
}
