import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../circuit-breaker.ts'

/** How often positions are read and compared. */
export const PROBE_MS = 300
export const MAX_PAUSE_MS = 2_000

/** A statement that always has a row. */
export async function rowsOf<Row extends pg.QueryResultRow>(query: Promise<pg.QueryResult>): Promise<[Row]> {
  return (await query).rows as [Row]
}

/** Runs a session again after it has ended, until the signal. */
export async function repeat(
  signal: AbortSignal,
  session: () => Promise<unknown>,
  log?: Log,
  failure = '',
): Promise<void> {
  let pauseMs = PROBE_MS
  while (!signal.aborted) {
    const began = performance.now()
    await session().catch((err) => {
      if (!signal.aborted) log?.warn({ err }, failure)
    })
    pauseMs = performance.now() - began > MAX_PAUSE_MS ? PROBE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
