import type { Sql } from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import type { Claimed, OutboxTable, Settlement } from './outbox.ts'

/** The result of one attempt. A refusal is an outcome, not an error. `code` goes to the log and holds nothing personal. */
export type Outcome =
  | { kind: 'delivered' }
  /** There is nowhere to deliver to; the row stays readable. Counts as an attempt. */
  | { kind: 'stored' }
  | { kind: 'postponed'; reason: string; code?: string; retryAfterSeconds?: number }
  | { kind: 'failed'; reason: string; code?: string }
  /** Not attempted: the row is no longer wanted. */
  | { kind: 'discarded'; reason: string }
  /** Not attempted now: the row goes back as if it had not been claimed. */
  | { kind: 'returned' }

/** True if the outcome is the result of an attempt, even one that had nowhere to send to (`stored`). */
export const wasAttempted = ({ kind }: Outcome): boolean => kind !== 'returned' && kind !== 'discarded'

/** A row whose attempt has ended, and what is to be stored about it. */
export interface Ended<Row extends Claimed = Claimed> {
  row: Row
  outcome: Outcome
  settlement: Settlement
}

export interface Handler<Row extends Claimed = Claimed> extends OutboxTable {
  /** The columns that `deliver` needs besides those of `Claimed`; the table's alias is `row`. */
  columns: Sql
  inFlight: number
  /** Only for a table with queues. */
  queues?: QueueLimits
  /** Seconds to wait after the first, second … attempt. A row that fails after the last has failed for good. */
  schedule: readonly number[]
  /** The schedule of one row, where they differ; of the same length. */
  scheduleOf?(row: Row): readonly number[]
  /**
   * Makes one attempt. After `timeoutMs` its result is no longer used, so it must have closed its connection by then.
   * One signal serves all attempts and aborts them together when the worker stops.
   */
  deliver(row: Row, signal: AbortSignal, timeoutMs: number): Promise<Outcome>
  /** Stores what else follows from the outcomes, in the same transaction; only rows whose lease is still ours. */
  settled?(tx: Db, ended: Ended<Row>[]): Promise<void>
  /** What log and trace of an attempt say about the row. Nothing personal. */
  describe?(row: Row): Record<string, string | number | null | undefined>
  /** The W3C trace (`traceparent`) of what caused the row. */
  traceparentOf?(row: Row): string
  close?(): void
}

/** How the queues of a table share the slots of its handler. */
export interface QueueLimits {
  inFlight: number
  /** The owner of a queue. All queues of a tenant share this many slots. */
  tenant?: { of(queue: number): number | undefined; inFlight: number }
  /** How many rows are claimed in advance at most, in one queue and in all, so that no slot waits for the database. */
  prefetch: { queue: number; all: number }
  /** How many rows may be claimed now from each of these queues, if fewer than there is room for; none from one left out. */
  admit?(store: Store, queues: number[]): Promise<Map<number, number>>
  /** Called before due rows are searched: makes rows due that waited for others. */
  release?(store: Store): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of handlers has a row type for each
export type AnyHandler = Handler<any>
