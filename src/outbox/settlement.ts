import { DAY_SECONDS } from '../clock.ts'
import { isUnavailable, type Log } from '../store/circuit-breaker.ts'
import type { Db, Store } from '../store/db.ts'
import { withSpans } from '../tracing.ts'
import { type Ended, type Handler, type Outcome, wasAttempted } from './handler.ts'
import { type Claimed, type Settlement, settle } from './outbox.ts'

export const MAX_WAIT_SECONDS = DAY_SECONDS // docs/decisions/deliveries.md: Retry-After is honoured up to 24 h
const MIN_WAIT_SECONDS = 1
const MAX_EARLY = 20 // then only the schedule counts, so that a receiver that always says "at once" reaches its end
const MAX_ERROR_LENGTH = 500
const JITTER = 0.2

const ESTADOS = {
  delivered: 'entregada',
  stored: 'guardada',
  failed: 'fallida',
  discarded: 'descartada',
  returned: 'pendiente',
} as const

/** What follows from an outcome. A row that is postponed after the last attempt of its schedule has failed. */
export function conclude<Row extends Claimed>(
  row: Row,
  outcome: Outcome,
  schedule: readonly number[],
  chance: number,
): Ended<Row> {
  const { id, lease, attempts } = row
  const error = 'reason' in outcome ? storable(outcome.reason) : null
  const base = { id, lease, attempts, usesAttempt: wasAttempted(outcome), delaySeconds: null, error }
  if (outcome.kind !== 'postponed') return { row, outcome, settlement: { ...base, estado: ESTADOS[outcome.kind] } }

  const scheduled = delayAfter(attempts, schedule, chance)
  if (scheduled === undefined)
    return { row, outcome: { ...outcome, kind: 'failed' }, settlement: { ...base, estado: 'fallida' } }
  const requested = outcome.retryAfterSeconds ?? scheduled
  // An early retry uses no attempt of the schedule.
  const isEarly = requested < scheduled && (row.extraAttempts ?? 0) < MAX_EARLY
  const wait = isEarly ? requested : Math.max(requested, scheduled)
  const delaySeconds = Math.min(Math.max(wait, MIN_WAIT_SECONDS), MAX_WAIT_SECONDS)
  return { row, outcome, settlement: { ...base, estado: 'pendiente', usesAttempt: !isEarly, delaySeconds } }
}

/**
 * Seconds until the next attempt after the given one (the first is 1), spread by ±20 % so that rows that failed together
 * do not come back together; undefined after the schedule's last. `chance` is from 0 to 1.
 */
export function delayAfter(attempt: number, schedule: readonly number[], chance: number): number | undefined {
  const seconds = schedule[attempt - 1]
  return seconds === undefined ? undefined : seconds * (1 + JITTER * (2 * chance - 1))
}

/** PostgreSQL takes no NUL in a text. */
const storable = (error: string): string => error.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_ERROR_LENGTH)

/** Nobody waits for an outcome to be stored, and a batch costs little more than a row. */
const GATHER_MS = 30

/** Stores one batch at a time: the outcomes of the last moment, or those that came while the previous one was stored. */
export function openSettler<Row extends Claimed>(
  handler: Handler<Row>,
  { store, log }: { store: Store; log: Log },
  onSettled: () => void,
) {
  const { table, schedule } = handler
  const againSeconds = schedule[0] ?? 0
  const waiting: Ended<Row>[] = []
  let running: Promise<void> | undefined
  let gathering: NodeJS.Timeout | undefined

  function gather(): void {
    if (!running) gathering ??= setTimeout(() => void storeBatch(), GATHER_MS)
  }

  /** Stores what has ended by now; waits for a batch that is running. What could not be stored stays in `waiting`. */
  function storeBatch(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    running ??= storeAll([...waiting]).then(
      () => {
        running = undefined
        if (waiting.length > 0) gather()
      },
      (err) => {
        running = undefined
        log.warn({ err, table, rows: waiting.length }, 'outbox: outcomes could not be stored; retrying')
      },
    )
    return running
  }

  async function storeAll(batch: Ended<Row>[]): Promise<void> {
    if (batch.length === 0) return
    await storeRows(batch)
    waiting.splice(0, batch.length)
    onSettled()
  }

  /** Safe to repeat after an error: a row that was settled all the same no longer has this lease and is skipped. */
  async function storeRows(batch: Ended<Row>[]): Promise<void> {
    try {
      const spans = batch.flatMap(({ row }) => row.span ?? [])
      await withSpans(spans, () =>
        handler.settled ? store.transaction((tx) => settleIn(tx, batch)) : settleIn(store, batch),
      )
    } catch (error) {
      if (isTransient(error)) throw error
      if (batch.length > 1) {
        for (const one of batch) await storeRows([one])
        return
      }
      // Stored without the attempt: otherwise the row would be delivered for ever.
      log.error(
        { err: error, table, id: batch[0]?.row.id },
        'outbox: attempt could not be recorded; outcome stored without it',
      )
      await settle(store, handler, settlements(batch), againSeconds)
    }
  }

  async function settleIn(tx: Db, batch: Ended<Row>[]): Promise<void> {
    const isSettled = await settle(tx, handler, settlements(batch), againSeconds)
    const stored = batch.filter(({ row }) => isSettled(row))
    if (stored.length > 0) await handler.settled?.(tx, stored)
  }

  return {
    add(ended: Ended<Row>): void {
      waiting.push(ended)
      gather()
    },
    /** Retries what could not be stored before; does not throw. */
    async flush(): Promise<void> {
      await running
      await storeBatch()
    },
    waiting: () => waiting.length,
  }
}

const settlements = (batch: Ended[]): Settlement[] => batch.map(({ settlement }) => settlement)

/** The database is unavailable, or two transactions collided (SQLSTATE class 40): a retry may succeed. */
const isTransient = (error: unknown): boolean =>
  isUnavailable(error) || /^40/.test((error as { code?: string } | undefined)?.code ?? '')
