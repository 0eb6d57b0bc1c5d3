import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'
import type { Sum } from './drill.ts'
import type { Tally } from './load.ts'
import type { Receiver } from './receiver.ts'
import { type Rule, violationsOf } from './rules.ts'

const TIMEOUT_MS = 150_000 // a lease and more
const POLL_MS = 100

/** The comparison of acknowledged, committed and received events after the load. */
interface Reconciliation {
  rows: [string, string | number][]
  failed: string[]
  sum: Sum
}

/** The injected faults, and which effects they may have. */
interface Injected {
  /** How many faults were injected. */
  faults: number
  /** Messages of instances that exited by themselves. */
  crashes: string[]
  /** The API server was killed, so connections may break. */
  canBreak?: boolean
  /** The load includes invitations, which send emails. */
  emails?: boolean
  /** Events from before the receiver was registered. */
  earlier?: ReadonlySet<string>
}

/** The counts that the rules check. */
interface Counts {
  committed: number
  received: number
  /** Committed and never received; acknowledged and not committed; received and not committed. */
  lost: number
  uncommitted: number
  unknown: number
  /** Acknowledged invitations that are not stored, and stored ones without an email. */
  missingInvitations: number
  withoutEmail: number
  emails: number
  /** Emails that are neither sent nor stored: still pending, or given up. */
  undelivered: number
}

/** Waits until nothing is pending, then compares what was acknowledged, committed and received. */
export async function reconcile(
  store: Store,
  tally: Tally,
  receiver: Receiver,
  injected: Injected,
): Promise<Reconciliation> {
  const waitedMs = await untilNothingPending(store)
  const events = await store.query<{ id: string }>(sql`select id from events`)
  const committed = new Set(events.map(({ id }) => id).filter((id) => !injected.earlier?.has(id)))
  const repeated = [...receiver.times.values()].filter((times) => times > 1).length
  const there = await store.query<{ mail: string; written: boolean }>(sql`
    select i.admin_mail as mail, exists (select from mails m where m.invitacion_id = i.id) as written
    from invitaciones i`)
  const written = new Map(there.map((each) => [each.mail, each.written]))
  const [emails] = await store.query<{ all: number; undelivered: number }>(sql`
    select count(*)::int as all,
      (count(*) filter (where estado not in ('entregada', 'guardada')))::int as undelivered from mail_recipients`)
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
      ['processes that ended by themselves', injected.crashes.length],
      ['events committed', counts.committed],
      ['of them acknowledged by an answer', tally.acknowledged.size],
      ['events received', counts.received],
      ['received more than once', repeated],
      ['invitations acknowledged', tally.invited.size],
      ['  of them not stored', missingInvitations],
      ['calls the receiver answered with 500', receiver.refused()],
      ['emails written', counts.emails],
      ['  of them neither sent nor stored', undelivered],
      ['invitations without an email', withoutEmail],
      ['longest from event to settled, s', (slowest?.seconds ?? 0).toFixed(1)],
      ['caught up after, s', (waitedMs / 1000).toFixed(1)],
      ['acknowledged but not committed', uncommitted],
      ['committed but not received', lost],
      ['received but not committed', unknown],
    ],
    failed: violationsOf(RULES, { ...counts, tally, injected }),
    sum: {
      requests: tally.requests,
      faults: injected.faults,
      committed: counts.committed,
      received: counts.received,
      lost: lost + uncommitted + missingInvitations + withoutEmail + undelivered,
      announced: tally.announced,
      serverErrors: tally.serverErrors.length,
    },
  }
}

/** The input of the rules. */
export interface Reconciled extends Counts {
  tally: Tally
  injected: Pick<Injected, 'crashes' | 'canBreak' | 'emails'>
}

/** The rules for every drill that creates events. A drill in which nothing happened fails. */
export const RULES: Rule<Reconciled>[] = [
  ({ injected }) => injected.crashes,
  ({ tally }) => tally.acknowledged.size === 0 && 'nothing was acknowledged, so nothing was shown',
  ({ committed, received }) =>
    !(committed > 0 && received > 0) && 'nothing was committed or received, so nothing was shown',
  ({ uncommitted }) => !(uncommitted === 0) && `${uncommitted} events were acknowledged and are not stored`,
  ({ missingInvitations }) =>
    !(missingInvitations === 0) && `${missingInvitations} invitations were acknowledged and are not stored`,
  ({ withoutEmail }) => !(withoutEmail === 0) && `${withoutEmail} invitations have no email`,
  ({ tally: { others } }) =>
    others.length > 0 && `${others.length} answers were neither a success nor a 503, first: ${others[0]}`,
  ({ tally, injected }) =>
    tally.broken > 0 &&
    !injected.canBreak &&
    `${tally.broken} requests got no answer, though the server was never killed`,
  ({ lost }) => !(lost === 0) && `${lost} events were committed and never received`,
  ({ unknown }) => !(unknown === 0) && `${unknown} events were received that are not stored`,
  ({ undelivered }) => !(undelivered === 0) && `${undelivered} emails are pending or were given up`,
  ({ tally, emails, injected }) =>
    injected.emails === true && !(tally.invited.size > 0 && emails > 0) && 'no email was written',
  ({ tally: { serverErrors } }) =>
    serverErrors.length > 0 && `${serverErrors.length} answers were server errors, first: ${serverErrors[0]}`,
]

/** The lease of a killed worker ends within 60 s; another worker then takes over. Returns the time waited. */
async function untilNothingPending(store: Store): Promise<number> {
  const began = performance.now()
  const waiting = sql`
    select 1 from deliveries where estado = 'pendiente' union all select 1 from mail_recipients where estado = 'pendiente' limit 1`
  while ((await store.query(waiting)).length > 0) {
    if (performance.now() - began > TIMEOUT_MS) break // the rules report what is missing
    await pause(POLL_MS)
  }
  return performance.now() - began
}

/** The events of acknowledged inquiries. One that is not stored, or has no event, stands for itself: no event has its id. */
export async function eventsOf(store: Store, sids: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await store.query<{ sid: string; id: string }>(sql`
    select c.sid, e.id from consultas c join events e on e.sid = c.sid where e.topic = 'consulta.recibida'`)
  const events = new Map(rows.map(({ sid, id }) => [sid, id]))
  return new Set([...sids].map((sid) => events.get(sid) ?? sid))
}
