import { delayAfter } from './backoff.ts'
import type { Outcome } from './carrier.ts'
import type { Claimed, Settlement } from './outbox.ts'

/** A row that was carried, how that ended, and what is to be written down. */
export interface Ended<Row extends Claimed = Claimed> {
  row: Row
  outcome: Outcome
  settlement: Settlement
}

const LONGEST_WAIT_SECONDS = 86_400 // decisions.md 8: Retry-After is honoured up to 24 h
const SHORTEST_WAIT_SECONDS = 1
const MOST_EARLY = 20 // then the schedule alone decides: a receiver that always says "at once" comes to an end too
const LONGEST_ERROR = 500

/** Where each outcome leaves the row; one that is postponed is due again, as long as its schedule has more. */
const ESTADOS = {
  delivered: 'entregada',
  kept: 'guardada',
  failed: 'fallida',
  discarded: 'descartada',
  returned: 'pendiente',
} as const

/** What follows from an outcome: postponed once too often is failed. */
export function conclude<Row extends Claimed>(
  row: Row,
  outcome: Outcome,
  schedule: readonly number[],
  chance: number,
): Ended<Row> {
  const { id, lease, attempts } = row
  const reason = 'reason' in outcome ? readable(outcome.reason) : null
  const settle = (
    estado: Settlement['estado'],
    delaySeconds: number | null,
    counts = wasTried(outcome),
  ): Settlement => ({
    id,
    lease,
    attempts,
    counts,
    estado,
    delaySeconds,
    error: reason,
  })
  if (outcome.kind !== 'postponed') return { row, outcome, settlement: settle(ESTADOS[outcome.kind], null) }

  const scheduled = delayAfter(attempts, schedule, chance)
  if (scheduled === undefined)
    return { row, outcome: { ...outcome, kind: 'failed' }, settlement: settle('fallida', null) }
  const asked = outcome.retryAfterSeconds ?? scheduled
  // Whoever has us come again sooner does not lose the later tries for it.
  const isEarly = asked < scheduled && (row.carried ?? 0) < MOST_EARLY
  const wait = isEarly ? asked : Math.max(asked, scheduled)
  const delay = Math.min(Math.max(wait, SHORTEST_WAIT_SECONDS), LONGEST_WAIT_SECONDS)
  return { row, outcome, settlement: settle('pendiente', delay, !isEarly) }
}

/** Whether there was an attempt at all. */
export const wasTried = ({ kind }: Outcome): boolean => kind !== 'returned' && kind !== 'discarded'

/** PostgreSQL takes no NUL in a text, and nobody reads a page of an error. */
const readable = (error: string): string => error.replace(/\p{Cc}+/gu, ' ').slice(0, LONGEST_ERROR)
