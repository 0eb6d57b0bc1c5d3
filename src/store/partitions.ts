import sql from 'sql-template-tag'
import type { Store } from './db.ts'

/** The tables that are partitioned by month (migrations/0031_months.sql). */
export type MonthlyTable = 'consultas' | 'events' | 'deliveries' | 'delivery_attempts'

const MOVE_BATCH = 20_000

/**
 * Creates the partitions of this month, of the next ones and of rows in the default partition, and returns their names.
 * Several nodes may run it. Without a partition, a row is stored in the default one, and moved by the next run.
 */
export async function createMonths(store: Store, table: MonthlyTable, now: Date, ahead: number): Promise<string[]> {
  const created: string[] = []
  for (let last: string | undefined; ; ) {
    const [{ month } = { month: null }] = await store.query<{ month: string | null }>(sql`
      select missing_month(${table}, ${now}, ${ahead})::text as month`)
    if (month === null || month === last) return created
    last = month
    if (await createMonth(store, table, month)) created.push(`${table}_${month.slice(0, 7).replace('-', '_')}`)
  }
}

/** False if another node has created it. */
const createMonth = (store: Store, table: MonthlyTable, month: string): Promise<boolean> =>
  store.transaction(async (tx) => {
    for (;;) {
      const [row] = await tx.query<{ state: 'moving' | 'created' | 'exists' }>(sql`
        select create_month(${table}, ${month}::date, ${MOVE_BATCH}) as state`)
      if (row?.state !== 'moving') return row?.state === 'created'
    }
  })

/** Drops the months that ended by a moment, each in its own transaction, and returns their names. */
export async function dropMonthsBefore(store: Store, table: MonthlyTable, moment: Date): Promise<string[]> {
  const dropped: string[] = []
  for (;;) {
    const [row] = await store.query<{ name: string | null }>(sql`select drop_month_before(${table}, ${moment}) as name`)
    if (!row?.name) return dropped
    dropped.push(row.name)
  }
}
