import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'
import type { Receiver } from '../receiver.ts'
import type { Rule } from '../rules.ts'

const POLL_MS = 200
const MAX_MS = 120_000

/** Waits until no delivery is pending. Returns the time waited. */
export async function untilDelivered(store: Store): Promise<number> {
  const began = performance.now()
  const waiting = sql`select 1 from deliveries where estado = 'pendiente' limit 1`
  while ((await store.query(waiting)).length > 0 && performance.now() - began < MAX_MS) await pause(POLL_MS)
  return performance.now() - began
}

/** What the database and the receiver have of the acknowledged inquiries. */
interface StoredConsultas {
  /** All inquiries in the database, and how many acknowledged ones are not there. */
  consultas: number
  missing: number
  /** How many were acknowledged, and how many of those answers repeated a sid. */
  acknowledged: number
  doubled: number
  /** Acknowledged inquiries without an event. */
  withoutEvent: number
  /** All events in the database, how many of them were received, and how many were not. */
  committed: number
  received: number
  lost: number
  /** Received events that are not in the database. */
  unknown: number
  emails: number
  /** Emails that were given up. */
  emailsFailed: number
  /** Emails still in the outbox; the drill does not wait for them. */
  emailsPending: number
}

/** Looks up each acknowledged inquiry, its event, and whether the event was received. */
export async function findConsultas(
  store: Store,
  receiver: Receiver,
  acknowledged: string[],
): Promise<StoredConsultas> {
  const there = new Set((await store.query<{ sid: string }>(sql`select sid from consultas`)).map(({ sid }) => sid))
  const events = await store.query<{ id: string; sid: string | null }>(sql`select id, sid from events`)
  const [ids, sids] = [new Set(events.map(({ id }) => id)), new Set(events.map(({ sid }) => sid))]
  const [emails] = await store.query<{ all: number; failed: number; waiting: number }>(sql`
    select count(*) as all, count(*) filter (where estado = 'fallida') as failed,
      count(*) filter (where estado = 'pendiente') as waiting from mail_recipients`)
  return {
    consultas: there.size,
    acknowledged: acknowledged.length,
    doubled: acknowledged.length - new Set(acknowledged).size,
    missing: acknowledged.filter((sid) => !there.has(sid)).length,
    withoutEvent: acknowledged.filter((sid) => !sids.has(sid)).length,
    committed: ids.size,
    received: [...ids].filter((id) => receiver.times.has(id)).length,
    lost: [...ids].filter((id) => !receiver.times.has(id)).length,
    unknown: [...receiver.times.keys()].filter((id) => !ids.has(id)).length,
    emails: emails?.all ?? 0,
    emailsFailed: emails?.failed ?? Number.NaN,
    emailsPending: emails?.waiting ?? 0,
  }
}

/** The rules for what was stored. */
export const STORED: Rule<StoredConsultas>[] = [
  ({ acknowledged }) => !(acknowledged > 0) && 'no inquiry was acknowledged',
  ({ doubled }) => !(doubled === 0) && `${doubled} answers (201) repeated the sid of another`,
  ({ missing }) => !(missing === 0) && `${missing} inquiries were acknowledged (201) and are not in the store`,
  ({ withoutEvent: count }) => !(count === 0) && `${count} inquiries were acknowledged (201) and have no event`,
  ({ lost }) => !(lost === 0) && `${lost} events were committed and never received`,
  ({ unknown }) => !(unknown === 0) && `${unknown} events were received that are not in the store`,
  ({ emailsFailed }) => !(emailsFailed === 0) && `${emailsFailed} emails were given up`,
]
