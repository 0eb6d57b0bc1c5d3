import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'
import type { Sum } from './drill.ts'
import type { Tally } from './load.ts'
import type { Receiver } from './receiver.ts'
import { type Rule, violationsOf } from './rules.ts'

const LEASE_AND_MORE_MS = 150_000
const POLL_MS = 100

/** What was told, kept and received, set against one another when all is still. */
export interface Reconciliation {
  rows: [string, string | number][]
  failed: string[]
  sum: Sum
}

/** What was done to the house, and what of its answers may follow from it. */
export interface Done {
  /** How many faults were injected. */
  faults: number
  /** Which of its processes ended by themselves, in words. */
  crashes: string[]
  /** The process that answers was killed: some of its connections were lost. */
  canBreak?: boolean
  /** Letters were asked for too. */
  emails?: boolean
  /** Events of before anybody listened. */
  earlier?: ReadonlySet<string>
}

/** The figures that are judged. */
export interface Counts {
  committed: number
  received: number
  /** Committed and never received; acknowledged and not committed; received and not committed. */
  lost: number
  uncommitted: number
  unknown: number
  /** Invitations that were acknowledged and are not there, or are and no letter was written for them. */
  missingInvitations: number
  withoutEmail: number
  emails: number
  /** Letters that were not carried, nor kept where there is no mail server: they wait, or were given up. */
  undelivered: number
}

/** Waits for what is under way, and counts: every event that was committed must have arrived, every promise been kept. */
export async function reconcile(store: Store, tally: Tally, receiver: Receiver, done: Done): Promise<Reconciliation> {
  const waitedMs = await untilNothingWaits(store)
  const events = await store.query<{ id: string }>(sql`select id from events`)
  const committed = new Set(events.map(({ id }) => id).filter((id) => !done.earlier?.has(id)))
  const repeated = [...receiver.times.values()].filter((times) => times > 1).length
  const there = await store.query<{ mail: string; written: boolean }>(sql`
    select i.admin_mail as mail, exists (select from mails m where m.invitacion_id = i.id) as written
    from invitaciones i`)
  const written = new Map(there.map((each) => [each.mail, each.written]))
  const [emails] = await store.query<{ all: number; undelivered: number }>(sql`
    select count(*)::int as all,
      (count(*) filter (where estado not in ('entregada', 'guardada')))::int as undelivered from mails`)
  const [slowest] = await store.query<{ seconds: number }>(sql`
    select extract(epoch from max(settled_at - created_at))::float8 as seconds from deliveries`)
  const counts: Counts = {
    committed: committed.size,
    received: receiver.times.size,
    lost: [...committed].filter((id) => !receiver.times.has(id)).length,
    uncommitted: [...tally.acknowledged].filter((id) => !committed.has(id)).length,
    unknown: [...receiver.times.keys()].filter((id) => !committed.has(id)).length,
    missingInvitations: [...tally.invited].filter((mail) => !written.has(mail)).length,
    withoutEmail: [...tally.invited].filter((mail) => written.get(mail) === false).length,
    emails: emails?.all ?? 0,
    undelivered: emails?.undelivered ?? 0,
  }
  const { lost, uncommitted, unknown, missingInvitations, withoutEmail, undelivered } = counts
  return {
    rows: [
      ['requests', tally.requests],
      ['refused with 503 and Retry-After', tally.announced],
      ['connections lost or refused', tally.broken],
      ['other answers from 500 on', tally.serverErrors.length],
      ['any other answers', tally.others.length],
      ['processes that ended by themselves', done.crashes.length],
      ['events committed', counts.committed],
      ['of them acknowledged by an answer', tally.acknowledged.size],
      ['events received', counts.received],
      ['received more than once', repeated],
      ['invitations acknowledged', tally.invited.size],
      ['  of them not there', missingInvitations],
      ['calls the receiver answered with 500', receiver.refused()],
      ['letters written', counts.emails],
      ['  of them neither carried nor kept', undelivered],
      ['invitations without a letter', withoutEmail],
      ['longest from event to settled, s', (slowest?.seconds ?? 0).toFixed(1)],
      ['caught up after, s', (waitedMs / 1000).toFixed(1)],
      ['acknowledged but not committed', uncommitted],
      ['committed but not received', lost],
      ['received but not committed', unknown],
    ],
    failed: violationsOf(RECONCILIATION, { ...counts, tally, done }),
    sum: {
      requests: tally.requests,
      faults: done.faults,
      committed: counts.committed,
      received: counts.received,
      lost: lost + uncommitted + missingInvitations + withoutEmail + undelivered,
      announced: tally.announced,
      serverErrors: tally.serverErrors.length,
    },
  }
}

/** What is set against one another. */
export interface Reconciled extends Counts {
  tally: Tally
  done: Pick<Done, 'crashes' | 'canBreak' | 'emails'>
}

/** What is asked of every drill that makes events; where nothing happened, nothing was shown. */
export const RECONCILIATION: Rule<Reconciled>[] = [
  ({ done }) => done.crashes,
  ({ tally }) => tally.acknowledged.size === 0 && 'nothing was acknowledged, so nothing was shown',
  ({ committed, received }) =>
    !(committed > 0 && received > 0) && 'nothing was committed or received, so nothing was shown',
  ({ uncommitted }) => !(uncommitted === 0) && `${uncommitted} events were acknowledged and are not there`,
  ({ missingInvitations }) =>
    !(missingInvitations === 0) && `${missingInvitations} invitations were acknowledged and are not there`,
  ({ withoutEmail }) => !(withoutEmail === 0) && `${withoutEmail} invitations have no letter`,
  ({ tally: { others } }) =>
    others.length > 0 && `${others.length} answers were neither a yes nor a 503, first: ${others[0]}`,
  ({ tally, done }) =>
    tally.broken > 0 &&
    !done.canBreak &&
    `${tally.broken} requests got no answer, though whoever answers was never killed`,
  ({ lost }) => !(lost === 0) && `${lost} events were committed and never received`,
  ({ unknown }) => !(unknown === 0) && `${unknown} events were received that are not there`,
  ({ undelivered }) => !(undelivered === 0) && `${undelivered} letters wait or were given up`,
  ({ tally, emails, done }) =>
    done.emails === true && !(tally.invited.size > 0 && emails > 0) && 'no letter was written',
  ({ tally: { serverErrors } }) =>
    serverErrors.length > 0 && `${serverErrors.length} answers were faults of the server, first: ${serverErrors[0]}`,
]

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
