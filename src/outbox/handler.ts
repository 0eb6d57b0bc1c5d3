import type { Sql } from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import type { Claimed, Queue, Settlement } from './outbox.ts'

/** How one attempt ended. Being refused is an outcome, not an error. `code` is for the log and holds nothing personal. */
export type Outcome =
  | { kind: 'delivered' }
  /** There is nowhere to deliver to; it can be read where it is. */
  | { kind: 'kept' }
  | { kind: 'postponed'; reason: string; code?: string; retryAfterSeconds?: number }
  | { kind: 'failed'; reason: string; code?: string }
  /** Not tried, because nobody wants it any more. */
  | { kind: 'discarded'; reason: string }
  /** Not tried now: it goes back as if it had not been taken. */
  | { kind: 'returned' }

/** What takes the rows of one queue to where they go. */
export interface Carrier<Row extends Claimed = Claimed> extends Queue {
  /** What `carry` needs of a row, beside what `Claimed` has; `row` is the table's name in the statement. */
  columns: Sql
  /** How many are carried at a time, in all. */
  inFlight: number
  /** For a queue with lanes. */
  lanes?: Lanes
  /** Seconds after the first, second … attempt; one that fails after the last has failed for good. */
  schedule: readonly number[]
  /** The schedule of this row, where not all have the same; as long as that one. */
  scheduleOf?(row: Row): readonly number[]
  /**
   * Makes one attempt. After `timeoutMs` its result is no longer used, so it must have closed its connection by then.
   * One signal serves all attempts and aborts them together when the worker stops.
   */
  carry(row: Row, signal: AbortSignal, timeoutMs: number): Promise<Outcome>
  /** What else changes with the outcome, in the same transaction; only rows that are still ours come here. */
  settled?(tx: Db, ended: { row: Row; outcome: Outcome; settlement: Settlement }[]): Promise<void>
  /** Rows that are due and yet not late, because their receiver is waited for; for the metrics. */
  held?: Sql
  /** What the log line of an attempt says about the row. Nothing personal. */
  describe?(row: Row): object
  /** What it says about the destination. */
  describeLane?(lane: number): object | undefined
  close?(): void
}

/** What a carrier says of the lanes of its queue. */
export interface Lanes {
  /** How many are carried at a time in one of them. */
  inFlight: number
  /** Whose a lane is: the lanes of one party have no more hands between them than these. */
  party?: { of(lane: number): number | undefined; inFlight: number }
  /** How many are taken at most, in one of them and in all, so that hands need not wait for the database. */
  ahead: { lane: number; all: number }
  /** How many may be taken now from each of these; none from one that is left out. */
  admit(store: Store, lanes: number[]): Promise<Map<number, number>>
}

/** A carrier of any rows, for whoever holds several. */
// biome-ignore lint/suspicious/noExplicitAny: a list of carriers has a row type for each
export type AnyCarrier = Carrier<any>
