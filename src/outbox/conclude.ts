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
const LONGEST_ERROR = 500

/** What follows from an outcome: postponed once too often is failed. */
export function conclude<Row extends Claimed>(
  row: Row,
  outcome: Outcome,
  schedule: readonly number[],
  chance: number,
): Ended<Row> {
  const { id, lease, attempts } = row
  const settle = (estado: Settlement['estado'], error: string | null, delaySeconds: number | null): Settlement => ({
    id,
    lease,
    estado,
    delaySeconds,
    error: error && readable(error),
  })
  if (outcome.kind === 'delivered') return { row, outcome, settlement: settle('entregada', null, null) }
  if (outcome.kind === 'kept') return { row, outcome, settlement: settle('guardada', null, null) }

  const scheduled = outcome.kind === 'postponed' ? delayAfter(attempts, schedule, chance) : undefined
  if (outcome.kind === 'failed' || scheduled === undefined)
    return { row, outcome: { ...outcome, kind: 'failed' }, settlement: settle('fallida', outcome.reason, null) }
  const delay = Math.min(outcome.retryAfterSeconds ?? scheduled, LONGEST_WAIT_SECONDS)
  return { row, outcome, settlement: settle('pendiente', outcome.reason, delay) }
}

/** PostgreSQL takes no NUL in a text, and nobody reads a page of an error. */
const readable = (error: string): string => error.replace(/\p{Cc}+/gu, ' ').slice(0, LONGEST_ERROR)
