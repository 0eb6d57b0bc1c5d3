import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'
import type { Sum } from './drill.ts'
import type { Tally } from './load.ts'
import type { Receiver } from './receiver.ts'

const LEASE_AND_MORE_MS = 150_000
const POLL_MS = 100

/** What was told, kept and received, set against one another when all is still. */
export interface Reckoning {
  rows: [string, string | number][]
  failed: string[]
  sum: Sum
}

/**
 * Waits for what is under way, and counts: every event that was committed must have arrived, every promise been kept.
 * `earlier` are those of before anybody listened.
 */
export async function reckon(
  store: Store,
  tally: Tally,
  receiver: Receiver,
  faults: number,
  earlier: ReadonlySet<string> = new Set(),
): Promise<Reckoning> {
  const waitedMs = await untilNothingWaits(store)
  const events = await store.query<{ id: string }>(sql`select id from events`)
  const committed = new Set(events.map(({ id }) => id).filter((id) => !earlier.has(id)))
  const lost = [...committed].filter((id) => !receiver.times.has(id)).length
  const forgotten = [...tally.acknowledged].filter((id) => !committed.has(id)).length
  const unknown = [...receiver.times.keys()].filter((id) => !committed.has(id)).length
  const repeated = [...receiver.times.values()].filter((times) => times > 1).length
  const there = await store.query<{ mail: string }>(sql`select admin_mail as mail from invitaciones`)
  const mails = new Set(there.map(({ mail }) => mail))
  const uninvited = [...tally.invited].filter((mail) => !mails.has(mail)).length
  const [letters] = await store.query<{ all: number; waiting: number }>(sql`
    select count(*) as all, count(*) filter (where estado = 'pendiente') as waiting from mails`)
  const [slowest] = await store.query<{ seconds: number }>(sql`
    select extract(epoch from max(settled_at - created_at))::float8 as seconds from deliveries`)
  const failed: string[] = []
  if (forgotten > 0) failed.push(`${forgotten} events were acknowledged and are not there`)
  if (tally.acknowledged.size === 0) failed.push('nothing was acknowledged, so nothing was shown')
  if (uninvited > 0) failed.push(`${uninvited} invitations were acknowledged and are not there`)
  if (tally.others.length > 0)
    failed.push(`${tally.others.length} answers were neither a yes nor a 503, first: ${tally.others[0]}`)
  if (lost > 0) failed.push(`${lost} events were committed and never received`)
  if (unknown > 0) failed.push(`${unknown} events were received that are not there`)
  if (letters && letters.waiting > 0) failed.push(`${letters.waiting} letters still wait`)
  if (tally.serverErrors.length > 0)
    failed.push(`${tally.serverErrors.length} answers were faults of the server, first: ${tally.serverErrors[0]}`)
  return {
    rows: [
      ['requests', tally.requests],
      ['refused with 503 and Retry-After', tally.announced],
      ['connections lost or refused', tally.broken],
      ['other answers from 500 on', tally.serverErrors.length],
      ['any other answers', tally.others.length],
      ['events committed', committed.size],
      ['of them acknowledged by an answer', tally.acknowledged.size],
      ['events received', receiver.times.size],
      ['received more than once', repeated],
      ['invitations acknowledged', tally.invited.size],
      ['  of them not there', uninvited],
      ['calls the receiver answered with 500', receiver.refused()],
      ['letters written', letters?.all ?? 0],
      ['longest from event to settled, s', (slowest?.seconds ?? 0).toFixed(1)],
      ['caught up after, s', (waitedMs / 1000).toFixed(1)],
      ['acknowledged but not committed', forgotten],
      ['committed but not received', lost],
      ['received but not committed', unknown],
    ],
    failed,
    sum: {
      requests: tally.requests,
      faults,
      committed: committed.size,
      received: receiver.times.size,
      lost: lost + forgotten + uninvited,
      announced: tally.announced,
      serverErrors: tally.serverErrors.length,
    },
  }
}

/** What a dead worker held is taken over when its lease ends, within 60 s; says how long it took. */
async function untilNothingWaits(store: Store): Promise<number> {
  const began = performance.now()
  const waiting = sql`
    select 1 from deliveries where estado = 'pendiente' union all select 1 from mails where estado = 'pendiente' limit 1`
  while ((await store.query(waiting)).length > 0) {
    if (performance.now() - began > LEASE_AND_MORE_MS) break // the table tells what is missing
    await pause(POLL_MS)
  }
  return performance.now() - began
}
