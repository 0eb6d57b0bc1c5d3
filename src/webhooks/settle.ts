import type { Outcome } from '../outbox/carrier.ts'
import { wasTried } from '../outbox/conclude.ts'
import type { Settlement } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import { type Attempt, countEarly, keepAttempts } from './attempts.ts'
import type { Delivery } from './delivery.ts'
import { disableWebhook, type LetterDeps } from './disable.ts'
import { recordHealth, type Shown } from './health.ts'

export interface EndedDelivery {
  row: Delivery
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
  await keepAttempts(
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

function attemptOf({ row: { id, made }, outcome }: EndedDelivery, nowMs: number): Attempt {
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
