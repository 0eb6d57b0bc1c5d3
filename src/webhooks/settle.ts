import type { Outcome } from '../outbox/carrier.ts'
import { wasTried } from '../outbox/conclude.ts'
import type { Db } from '../store/db.ts'
import { type Attempt, keepAttempts } from './attempts.ts'
import type { Delivery } from './delivery.ts'
import { disableWebhook, type LetterNeeds } from './disable.ts'
import { recordHealth, type Shown } from './health.ts'

export interface EndedDelivery {
  row: Delivery
  outcome: Outcome
}

const GONE = 410

/**
 * Writes what goes with the outcomes of a batch: each attempt, and what it shows about its webhook. A receiver that says
 * 410 wants no more. Says which webhooks are paused now.
 */
export async function settleDeliveries(
  tx: Db,
  needs: LetterNeeds,
  ended: EndedDelivery[],
  nowMs: number,
): Promise<{ id: number; paused: boolean }[]> {
  const tried = ended.filter(({ outcome }) => wasTried(outcome))
  if (tried.length === 0) return []
  await keepAttempts(
    tx,
    tried.map((each) => attemptOf(each, nowMs)),
  )
  const seen = await recordHealth(tx, showings(tried))
  const gone = new Set(tried.filter(({ row }) => row.made?.status === GONE).map(({ row }) => row.lane))
  for (const { id } of seen) if (gone.has(id)) await disableWebhook(tx, needs, id, '410')
  return seen
}

function attemptOf({ row: { id, made }, outcome }: EndedDelivery, nowMs: number): Attempt {
  const error = 'reason' in outcome ? outcome.reason : null
  if (!made) return { deliveryId: id, agoMs: 0, ms: 0, address: null, status: null, answer: null, error }
  const { beganMs, ms, address, status, answer } = made
  return { deliveryId: id, agoMs: nowMs - beganMs, ms, address, status, answer, error }
}

/** One for each webhook and configuration; what we could not even try says nothing about the receiver. */
function showings(tried: EndedDelivery[]): Shown[] {
  const shown = new Map<string, Shown>()
  for (const { row, outcome } of tried) {
    if (!row.made) continue
    const { version, error, status, retryAfterSeconds } = row.made
    const key = `${row.lane} ${version}`
    const before = shown.get(key)
    const about = { webhookId: row.lane, version }
    if (outcome.kind === 'delivered') {
      shown.set(key, { ...about, delivered: true, failures: 0, error: null, waitSeconds: null })
      continue
    }
    const wait = status === 429 || status === 503 ? (retryAfterSeconds ?? null) : null
    shown.set(key, {
      ...about,
      delivered: before?.delivered ?? false,
      failures: (before?.failures ?? 0) + 1,
      error,
      waitSeconds: Math.max(wait ?? 0, before?.waitSeconds ?? 0) || null,
    })
  }
  return [...shown.values()]
}
