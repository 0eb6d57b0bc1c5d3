import { setTimeout as pause } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Store } from './db.ts'

/** The tables that are partitioned by month (migrations/0031_months.sql). */
type MonthlyTable = keyof typeof KEYS

const KEYS = { consultas: 'sid', events: 'id', deliveries: 'id', delivery_attempts: 'delivery_id' }

/** As many rows are moved in about a second, in which requests wait. */
const MAX_MISPLACED_ROWS = 50_000
const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_TRIES = 3
const LOCK_PAUSE_MS = 1_000

/**
 * Creates the partitions of this month, of the next ones and of rows in the default partition, and returns their names.
 * Several nodes may run it. Without a partition, a row is stored in the default one, and moved by the next run. Throws in
 * the end if a month has too many such rows to move them while requests wait.
 */
export async function createMonths(
  store: Store,
  table: MonthlyTable,
  now: Date,
  ahead: number,
  maxMisplacedRows = MAX_MISPLACED_ROWS,
): Promise<string[]> {
  const created: string[] = []
  const overfullMonths: string[] = []
  async function create(month: string): Promise<void> {
    if ((await countMisplacedRows(store, table, month, maxMisplacedRows + 1)) > maxMisplacedRows)
      overfullMonths.push(month)
    else if (await createMonth(store, table, month)) created.push(`${table}_${month.slice(0, 7).replace('-', '_')}`)
  }

  const monthAfter = (count: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count))
  for (let count = 0; count <= ahead; count++) {
    const month = monthAfter(count).toISOString().slice(0, 10)
    if ((await missingMonth(store, table, monthAfter(count))) === month) await create(month)
  }
  for (let last: string | null = null; ; ) {
    const month = await missingMonth(store, table, monthAfter(ahead))
    if (month === null || month === last || overfullMonths.includes(month)) break
    last = month
    await create(month)
  }
  if (overfullMonths.length > 0)
    throw new Error(
      `${table}: the partition of ${overfullMonths.join(', ')} is missing, and more than ${maxMisplacedRows} rows would have to be moved there. Create it in a quiet hour: docs/database.md.`,
    )
  return created
}

/** That month, if it has no partition; or else the first month of rows in the default one. */
async function missingMonth(store: Store, table: MonthlyTable, moment: Date): Promise<string | null> {
  const [row] = await store.query<{ month: string | null }>(sql`
    select missing_month(${table}, ${moment}, 0)::text as month`)
  return row?.month ?? null
}

/** Before the lock. */
async function countMisplacedRows(store: Store, table: MonthlyTable, month: string, most: number): Promise<number> {
  const key = raw(KEYS[table])
  return store.count(sql`
    select count(*) from (
      select from ${raw(table)}
      where ${key} >= first_ulid(${month}::timestamp at time zone 'UTC')
        and ${key} < first_ulid((${month}::timestamp + interval '1 month') at time zone 'UTC')
      limit ${most}) stray`)
}

/** False if another node has created it. */
const createMonth = (store: Store, table: MonthlyTable, month: string): Promise<boolean> =>
  retryLock(() =>
    store.transaction(async (tx) => {
      const [row] = await tx.query<{ state: 'created' | 'exists' | 'moving' }>(sql`
        select create_month(${table}, ${month}::date, ${2 * MAX_MISPLACED_ROWS}) as state`)
      if (row?.state === 'moving') throw new Error(`${table}: rows of ${month} arrive faster than they are moved`)
      return row?.state === 'created'
    }),
  )

/** Drops the months that ended by a moment, each in its own transaction, and returns their names. */
export async function dropMonthsBefore(
  store: Store,
  table: MonthlyTable,
  moment: Date,
  signal?: AbortSignal,
): Promise<string[]> {
  const dropped: string[] = []
  for (;;) {
    signal?.throwIfAborted()
    const [row] = await retryLock(() =>
      store.query<{ name: string | null }>(sql`select drop_month_before(${table}, ${moment}) as name`),
    )
    if (!row?.name) return dropped
    dropped.push(row.name)
  }
}

/** The functions give up after 2 s, so that requests do not wait behind them for a long query. */
async function retryLock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw error
      await pause(LOCK_PAUSE_MS)
    }
}
