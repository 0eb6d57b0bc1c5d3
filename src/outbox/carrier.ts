import type { Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Claimed } from './outbox.ts'

/** How one attempt ended. Being refused is an outcome, not an error. `code` is for the log and holds nothing personal. */
export type Outcome =
  | { kind: 'delivered' }
  /** There is nowhere to deliver to; it can be read where it is. */
  | { kind: 'kept' }
  | { kind: 'postponed'; reason: string; code?: string; retryAfterSeconds?: number }
  | { kind: 'failed'; reason: string; code?: string }

/** What takes the rows of one queue to where they go. */
export interface Carrier<Row extends Claimed = Claimed> {
  table: string
  /** What `carry` needs of a row, beside id, attempts and lease; `row` is the table's name in the statement. */
  columns: Sql
  /** How many are carried at a time. */
  inFlight: number
  /** Seconds after the first, second … attempt; one that fails after the last has failed for good. */
  schedule: readonly number[]
  /** One attempt. The signal tells that nobody waits for it any longer: what hangs should be let go. */
  carry(row: Row, signal: AbortSignal): Promise<Outcome>
  /** What else changes with the outcome, in the same transaction; only rows that are still ours come here. */
  settled?(tx: Db, ended: { row: Row; outcome: Outcome }[]): Promise<void>
  /** What the log line of an attempt says of the row: nothing personal. */
  describe?(row: Row): Record<string, unknown>
  close?(): void
}

/** A carrier of any rows, for whoever holds several. */
// biome-ignore lint/suspicious/noExplicitAny: a list of carriers has a row type for each
export type AnyCarrier = Carrier<any>
