import { type Db, isUnavailable, type Log, type Store } from '../store/db.ts'
import type { Carrier, Outcome } from './handler.ts'
import { type Claimed, type Settlement, settle } from './outbox.ts'

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

const JITTER = 0.2

/**
 * Seconds until the next attempt after the given one (the first is 1), spread by ±20 % so that what failed together
 * does not come back together; undefined when the schedule has no more. `chance` is from 0 to 1.
 */
export function delayAfter(attempt: number, schedule: readonly number[], chance: number): number | undefined {
  const seconds = schedule[attempt - 1]
  return seconds === undefined ? undefined : seconds * (1 + JITTER * (2 * chance - 1))
}

/** Writes down how attempts ended. */
export interface Settler<Row extends Claimed> {
  add(ended: Ended<Row>): void
  /** Tries what could not be written before; does not throw. */
  flush(): Promise<void>
  /** Attempts that ended and are not yet written down. */
  waiting(): number
}

/** Nobody waits for it, and a batch costs little more than a row. */
const GATHER_MS = 30

/** One batch at a time, of what ended within a moment or while the last one was written. */
export function openSettler<Row extends Claimed>(
  carrier: Carrier<Row>,
  { store, log }: { store: Store; log: Log },
  onSettled: () => void,
): Settler<Row> {
  const { table, schedule } = carrier
  const againSeconds = schedule[0] ?? 0
  const waiting: Ended<Row>[] = []
  let running: Promise<void> | undefined
  let gathering: NodeJS.Timeout | undefined

  function gather(): void {
    if (!running) gathering ??= setTimeout(() => void writeBatch(), GATHER_MS)
  }

  /** What has ended by now; waits for a batch that is under way. Does not throw: what could not be written stays. */
  function writeBatch(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    running ??= writeAll([...waiting]).then(
      () => {
        running = undefined
        if (waiting.length > 0) gather()
      },
      (err) => {
        running = undefined
        log.warn({ err, table, rows: waiting.length }, 'outbox: could not settle; trying again')
      },
    )
    return running
  }

  async function writeAll(batch: Ended<Row>[]): Promise<void> {
    if (batch.length === 0) return
    await write(batch)
    waiting.splice(0, batch.length)
    onSettled()
  }

  /** Written again after an error, a row that was settled all the same is passed by: it has no lease any more. */
  async function write(batch: Ended<Row>[]): Promise<void> {
    try {
      await (carrier.settled ? store.transaction((tx) => settleIn(tx, batch)) : settleIn(store, batch))
    } catch (error) {
      if (mayPass(error)) throw error
      if (batch.length > 1) {
        for (const one of batch) await write([one])
        return
      }
      // A letter sent again and again would be worse than what could not be noted about it.
      log.error({ err: error, table, id: batch[0]?.row.id }, 'outbox: what goes with an outcome failed')
      await settle(store, carrier, settlements(batch), againSeconds)
    }
  }

  async function settleIn(tx: Db, batch: Ended<Row>[]): Promise<void> {
    const isSettled = await settle(tx, carrier, settlements(batch), againSeconds)
    const ours = batch.filter(({ row }) => isSettled(row))
    if (ours.length > 0) await carrier.settled?.(tx, ours)
  }

  async function flush(): Promise<void> {
    await running
    await writeBatch()
  }

  return {
    add(ended) {
      waiting.push(ended)
      gather()
    },
    flush,
    waiting: () => waiting.length,
  }
}

const settlements = (batch: Ended[]) => batch.map(({ settlement }) => settlement)

/** The database is away, or two transactions met (class 40): the same may go well a moment later. */
const mayPass = (error: unknown): boolean =>
  isUnavailable(error) || /^40/.test((error as { code?: string } | undefined)?.code ?? '')
