import sql from 'sql-template-tag'
import type { Outcome } from '../outbox/handler.ts'
import { type Claimed, plainArray, type Settlement, textArray } from '../outbox/outbox.ts'
import { wasTried } from '../outbox/settlement.ts'
import type { Db } from '../store/db.ts'
import { disableWebhook, type LetterDeps } from './failing.ts'
import { recordHealth, type Shown } from './health.ts'
import type { Call } from './send/send.ts'

export interface EndedDelivery {
  row: DeliveryRow
  outcome: Outcome
  settlement: Pick<Settlement, 'counts'>
}

const GONE = 410
const ASKS_FOR_REST = new Set([429, 503])

/**
 * Writes what goes with the outcomes of a batch: each attempt, and what it shows about its webhook. A receiver that says
 * 410 wants no more. Says which webhooks nothing is to be sent to now, for a while or any more.
 */
export async function settleDeliveries(
  tx: Db,
  deps: LetterDeps,
  ended: EndedDelivery[],
  nowMs: number,
): Promise<{ id: number; state: 'paused' | 'off' }[]> {
  const tried = ended.filter(({ outcome }) => wasTried(outcome))
  // A call that was cut short because the worker ended is none to the schedule, and yet it was made.
  const begun = ended.filter(({ row, outcome }) => row.made || wasTried(outcome))
  if (begun.length === 0) return []
  await insertAttempts(
    tx,
    begun.map((each) => attemptOf(each, nowMs)),
  )
  const early = begun.filter(({ settlement }) => !settlement.counts)
  if (early.length > 0)
    await countEarly(
      tx,
      early.map(({ row }) => row.id),
    )
  if (tried.length === 0) return []
  const seen = await recordHealth(tx, showings(tried))
  const gone = new Set(tried.filter(({ row }) => row.made?.call.status === GONE).map(({ row }) => row.lane))
  for (const { id } of seen) if (gone.has(id)) await disableWebhook(tx, deps, id, '410')
  return seen
    .filter(({ id, paused }) => paused || gone.has(id))
    .map(({ id }) => ({ id, state: gone.has(id) ? 'off' : 'paused' }))
}

function attemptOf({ row: { id, made }, outcome }: EndedDelivery, nowMs: number): NewAttempt {
  const error = 'reason' in outcome ? outcome.reason : (made?.call.error ?? null)
  if (!made) return { deliveryId: id, agoMs: 0, ms: 0, address: null, status: null, answer: null, error }
  const { address, status, answer } = made.call
  return { deliveryId: id, agoMs: nowMs - made.beganMs, ms: made.ms, address, status, answer, error }
}

/** One for each webhook and configuration; what we could not even try says nothing about the receiver. */
function showings(tried: EndedDelivery[]): Shown[] {
  const shown = new Map<number, Map<string, Shown>>()
  for (const { row, outcome } of tried) {
    if (!row.made) continue
    const { call, version, isProbe } = row.made
    const seen = shownOf(shown, row.lane, version)
    if (isProbe) seen.probed = true
    if (outcome.kind === 'delivered') {
      seen.delivered = true
      seen.failures = 0
      seen.error = null
      seen.waitSeconds = null
    } else {
      seen.failures++
      seen.error = call.error
      if (ASKS_FOR_REST.has(call.status ?? 0) && call.retryAfterSeconds)
        seen.waitSeconds = Math.max(call.retryAfterSeconds, seen.waitSeconds ?? 0)
    }
  }
  return [...shown.values()].flatMap((versions) => [...versions.values()])
}

function shownOf(shown: Map<number, Map<string, Shown>>, webhookId: number, version: string): Shown {
  const versions = shown.get(webhookId) ?? new Map<string, Shown>()
  const seen = versions.get(version)
  if (seen) return seen
  const nothing = { delivered: false, failures: 0, error: null, waitSeconds: null, probed: false }
  const made = { webhookId, version, ...nothing }
  shown.set(webhookId, versions.set(version, made))
  return made
}

/** A delivery in a worker's hands. */
export interface DeliveryRow extends Claimed {
  id: string
  /** What is sent, byte for byte; null where the event is gone. */
  payload: string | null
  traceparent: string | null
  /** Attempts before it was last sent again, and those that came early because the receiver asked for it. */
  carried: number
  /** Whether somebody asked for it after it was made, and before it was ever tried. */
  isAskedFor: boolean
  /** How old the delivery was when it was taken. */
  ageMs: number
  /** What carrying it came to, once it was tried. */
  made?: Made
}

/** A call, when it began and how long it took, under which configuration of the webhook, and whether to try the door. */
export interface Made {
  call: Call
  beganMs: number
  ms: number
  version: string
  isProbe: boolean
}

/** One attempt at a delivery, as it is kept. */
export interface NewAttempt extends Pick<Call, 'address' | 'status' | 'answer'> {
  deliveryId: string
  /** How long ago it began: the moment is PostgreSQL's to tell. */
  agoMs: number
  ms: number
  error: string | null
}

export async function insertAttempts(tx: Db, attempts: NewAttempt[]): Promise<void> {
  const column = (name: 'deliveryId' | 'ms' | 'address' | 'status') => plainArray(attempts.map((each) => each[name]))
  await tx.query(
    sql`
    insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error)
    select id, now() - make_interval(secs => ago / 1000), ms, address, status, answer, error
    from unnest(
      ${column('deliveryId')}::text[], ${plainArray(attempts.map(({ agoMs }) => Math.round(agoMs)))}::float8[],
      ${column('ms')}::int[], ${column('address')}::text[], ${column('status')}::int[],
      ${textArray(attempts.map(({ answer }) => answer))}::text[], ${textArray(attempts.map(({ error }) => error))}::text[]
    ) as attempt (id, ago, ms, address, status, answer, error)`,
    'keep-plan',
  )
}

/** Counts attempts that their schedule does not, so that the next one has a number of its own. */
export const countEarly = (tx: Db, ids: string[]): Promise<unknown> =>
  tx.query(sql`update deliveries set carried = carried + 1 where id = any (${ids}::text[])`)
