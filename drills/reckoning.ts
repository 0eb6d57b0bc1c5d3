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

/** What was done to the house, and what of its answers may follow from it. */
export interface Done {
  /** How many faults were injected. */
  faults: number
  /** Which of its processes ended by themselves, in words. */
  fallen: string[]
  /** The process that answers was killed: some of its connections were lost. */
  mayBreak?: boolean
  /** Letters were asked for too. */
  letters?: boolean
  /** Events of before anybody listened. */
  earlier?: ReadonlySet<string>
}

/** The figures that are judged. */
export interface Counts {
  committed: number
  received: number
  /** Committed and never received; acknowledged and not committed; received and not committed. */
  lost: number
  forgotten: number
  unknown: number
  /** Invitations that were acknowledged and are not there. */
  uninvited: number
  letters: number
  lettersWaiting: number
}

/** Waits for what is under way, and counts: every event that was committed must have arrived, every promise been kept. */
export async function reckon(store: Store, tally: Tally, receiver: Receiver, done: Done): Promise<Reckoning> {
  const waitedMs = await untilNothingWaits(store)
  const events = await store.query<{ id: string }>(sql`select id from events`)
  const committed = new Set(events.map(({ id }) => id).filter((id) => !done.earlier?.has(id)))
  const repeated = [...receiver.times.values()].filter((times) => times > 1).length
  const there = await store.query<{ mail: string }>(sql`select admin_mail as mail from invitaciones`)
  const mails = new Set(there.map(({ mail }) => mail))
  const [letters] = await store.query<{ all: number; waiting: number }>(sql`
    select count(*)::int as all, (count(*) filter (where estado = 'pendiente'))::int as waiting from mails`)
  const [slowest] = await store.query<{ seconds: number }>(sql`
    select extract(epoch from max(settled_at - created_at))::float8 as seconds from deliveries`)
  const counts: Counts = {
    committed: committed.size,
    received: receiver.times.size,
    lost: [...committed].filter((id) => !receiver.times.has(id)).length,
    forgotten: [...tally.acknowledged].filter((id) => !committed.has(id)).length,
    unknown: [...receiver.times.keys()].filter((id) => !committed.has(id)).length,
    uninvited: [...tally.invited].filter((mail) => !mails.has(mail)).length,
    letters: letters?.all ?? 0,
    lettersWaiting: letters?.waiting ?? 0,
  }
  const { lost, forgotten, unknown, uninvited } = counts
  return {
    rows: [
      ['requests', tally.requests],
      ['refused with 503 and Retry-After', tally.announced],
      ['connections lost or refused', tally.broken],
      ['other answers from 500 on', tally.serverErrors.length],
      ['any other answers', tally.others.length],
      ['processes that ended by themselves', done.fallen.length],
      ['events committed', counts.committed],
      ['of them acknowledged by an answer', tally.acknowledged.size],
      ['events received', counts.received],
      ['received more than once', repeated],
      ['invitations acknowledged', tally.invited.size],
      ['  of them not there', uninvited],
      ['calls the receiver answered with 500', receiver.refused()],
      ['letters written', counts.letters],
      ['longest from event to settled, s', (slowest?.seconds ?? 0).toFixed(1)],
      ['caught up after, s', (waitedMs / 1000).toFixed(1)],
      ['acknowledged but not committed', forgotten],
      ['committed but not received', lost],
      ['received but not committed', unknown],
    ],
    failed: faultsOf(counts, tally, done),
    sum: {
      requests: tally.requests,
      faults: done.faults,
      committed: counts.committed,
      received: counts.received,
      lost: lost + forgotten + uninvited,
      announced: tally.announced,
      serverErrors: tally.serverErrors.length,
    },
  }
}

/** What did not hold, in words; where nothing happened, nothing was shown. */
export function faultsOf(counts: Counts, tally: Tally, done: Pick<Done, 'fallen' | 'mayBreak' | 'letters'>): string[] {
  const failed = [...done.fallen]
  const { committed, received, lost, forgotten, unknown, uninvited, letters, lettersWaiting } = counts
  if (tally.acknowledged.size === 0) failed.push('nothing was acknowledged, so nothing was shown')
  if (committed === 0 || received === 0) failed.push('nothing was committed or received, so nothing was shown')
  if (forgotten > 0) failed.push(`${forgotten} events were acknowledged and are not there`)
  if (uninvited > 0) failed.push(`${uninvited} invitations were acknowledged and are not there`)
  if (tally.others.length > 0)
    failed.push(`${tally.others.length} answers were neither a yes nor a 503, first: ${tally.others[0]}`)
  if (tally.broken > 0 && !done.mayBreak)
    failed.push(`${tally.broken} requests got no answer, though whoever answers was never killed`)
  if (lost > 0) failed.push(`${lost} events were committed and never received`)
  if (unknown > 0) failed.push(`${unknown} events were received that are not there`)
  if (lettersWaiting > 0) failed.push(`${lettersWaiting} letters still wait`)
  if (done.letters && (tally.invited.size === 0 || letters === 0)) failed.push('no letter was written')
  if (tally.serverErrors.length > 0)
    failed.push(`${tally.serverErrors.length} answers were faults of the server, first: ${tally.serverErrors[0]}`)
  return failed
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
