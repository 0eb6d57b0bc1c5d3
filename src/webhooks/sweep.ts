import { DAY_MS } from '../clock.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import { createMonths, dropMonthsBefore } from '../store/partitions.ts'

const STORED_DAYS = 90 // docs/decisions/webhooks.md
/** One is enough, and the fewer there are, the fewer are read by queries without an id. */
const MONTHS_AHEAD = 1

/** Tables with ids of events, in the order of deletion. */
const TABLES = ['delivery_attempts', 'deliveries', 'events'] as const

/** Creates the partitions of the log for this month and the next, and for months with rows in the default partition. */
export async function createLogMonths(store: Store, now: Date): Promise<string[]> {
  const created: string[] = []
  for (const table of TABLES) created.push(...(await createMonths(store, table, now, MONTHS_AHEAD)))
  return created
}

/** Also drops the months whose last day is old enough, even if one could not be created. An id contains its time. */
export async function maintainLog(
  { store, log }: { store: Store; log: Log },
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  let failure: unknown
  const created = await createLogMonths(store, now).catch((error) => {
    failure = error
    return []
  })
  const dropped: string[] = []
  const oldest = new Date(now.getTime() - STORED_DAYS * DAY_MS)
  for (const table of TABLES) dropped.push(...(await dropMonthsBefore(store, table, oldest, signal)))
  if (created.length > 0 || dropped.length > 0)
    log.info({ created, dropped }, 'event log: partitions created and dropped')
  if (failure) throw failure
}
