import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'
import type { Receiver } from '../receiver.ts'
import type { Rule } from '../rules.ts'

const POLL_MS = 200
const LONGEST_MS = 120_000

/** Waits until every event that was written has been told; says how long. What takes longer is missing in the reckoning. */
export async function untilDelivered(store: Store): Promise<number> {
  const began = performance.now()
  const waiting = sql`select 1 from deliveries where estado = 'pendiente' limit 1`
  while ((await store.query(waiting)).length > 0 && performance.now() - began < LONGEST_MS) await pause(POLL_MS)
  return performance.now() - began
}

/** What the store and the receiver have of inquiries that were acknowledged. */
export interface StoredInquiries {
  /** All inquiries in the store; of those that were acknowledged, how many are not among them. */
  inquiries: number
  missing: number
  /** How many were acknowledged, and how many of those answers named an inquiry that another had named. */
  acknowledged: number
  doubled: number
  /** Acknowledged, and no event tells of it. */
  untold: number
  /** All events in the store; of them, how many the receiver has, and how many it lacks. */
  committed: number
  received: number
  lost: number
  /** Received, and not in the store. */
  unknown: number
  emails: number
  /** Letters that were given up. */
  emailsFailed: number
  /** Letters that are still to be carried: they are in the outbox, and nobody waits for them here. */
  emailsPending: number
}

/** Looks for each of them by its sid: the inquiry itself, the event that tells of it, and whether that arrived. */
export async function findInquiries(
  store: Store,
  receiver: Receiver,
  acknowledged: string[],
): Promise<StoredInquiries> {
  const there = new Set((await store.query<{ sid: string }>(sql`select sid from consultas`)).map(({ sid }) => sid))
  const events = await store.query<{ id: string; sid: string | null }>(sql`select id, sid from events`)
  const [ids, told] = [new Set(events.map(({ id }) => id)), new Set(events.map(({ sid }) => sid))]
  const [emails] = await store.query<{ all: number; failed: number; waiting: number }>(sql`
    select count(*) as all, count(*) filter (where estado = 'fallida') as failed,
      count(*) filter (where estado = 'pendiente') as waiting from mails`)
  return {
    inquiries: there.size,
    acknowledged: acknowledged.length,
    doubled: acknowledged.length - new Set(acknowledged).size,
    missing: acknowledged.filter((sid) => !there.has(sid)).length,
    untold: acknowledged.filter((sid) => !told.has(sid)).length,
    committed: ids.size,
    received: [...ids].filter((id) => receiver.times.has(id)).length,
    lost: [...ids].filter((id) => !receiver.times.has(id)).length,
    unknown: [...receiver.times.keys()].filter((id) => !ids.has(id)).length,
    emails: emails?.all ?? 0,
    emailsFailed: emails?.failed ?? Number.NaN,
    emailsPending: emails?.waiting ?? 0,
  }
}

/** What is asked of what was kept. */
export const STORED: Rule<StoredInquiries>[] = [
  ({ acknowledged }) => !(acknowledged > 0) && 'no inquiry was acknowledged, so nothing was shown',
  ({ doubled }) => !(doubled === 0) && `${doubled} answers (201) named an inquiry that another had named`,
  ({ missing }) => !(missing === 0) && `${missing} inquiries were acknowledged (201) and are not in the store`,
  ({ untold }) => !(untold === 0) && `${untold} inquiries were acknowledged (201) and no event tells of them`,
  ({ lost }) => !(lost === 0) && `${lost} events were committed and never received`,
  ({ unknown }) => !(unknown === 0) && `${unknown} events were received that are not in the store`,
  ({ emailsFailed }) => !(emailsFailed === 0) && `${emailsFailed} letters were given up`,
]
