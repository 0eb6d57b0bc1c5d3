import { performance } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import type { Db, StatementObserver, Store } from './db.ts'

const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]
const SCRAPE_MS = 2_000

/**
 * What a scrape reads from the database; undefined if that fails or takes longer than two seconds. Prometheus would give
 * up on the whole scrape just when the database is slow.
 */
export function forScrape<T>(read: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SCRAPE_MS, undefined)
  })
  return Promise.race([read.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

type Values = [labels: Record<string, string>, value: number][] | undefined

/** A gauge read at each scrape. Labels that `read` leaves out are absent, and so is the whole gauge if it returns undefined. */
export function gauge(
  registry: Registry | undefined,
  name: string,
  help: string,
  labelNames: string[],
  read: () => Values | Promise<Values>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: registry ? [registry] : [],
    async collect() {
      const values = await read()
      this.reset()
      this.remove({}) // else one without labels would be 0
      for (const [labels, value] of values ?? []) this.set(labels, value)
    },
  })
}

/** Measures statements by name. Those outside a transaction include the wait for a connection. */
export function measureStatements(registry: Registry): StatementObserver {
  const durations = new Histogram({
    name: 'rodado_db_statement_duration_seconds',
    help: 'Database statements by name. Outside a transaction this includes the wait for a connection.',
    labelNames: ['statement'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const errors = new Counter({
    name: 'rodado_db_statement_errors_total',
    help: 'Database statements that failed, by name and SQLSTATE or system code.',
    labelNames: ['statement', 'code'],
    registers: [registry],
  })
  return (statement) => {
    const startedMs = performance.now()
    return (error) => {
      durations.observe({ statement }, (performance.now() - startedMs) / 1000)
      if (error) errors.inc({ statement, code: (error as { code?: string }).code ?? 'none' })
    }
  }
}

const POOL_FIGURES = {
  max: 'Connections this process may open.',
  open: 'Open connections.',
  idle: 'Open connections that nothing uses.',
  waiting: 'Statements and transactions that wait for a connection.',
}

export function measurePool(registry: Registry, { connections }: Pick<Store, 'connections'>): void {
  for (const name of Object.keys(POOL_FIGURES) as (keyof typeof POOL_FIGURES)[])
    gauge(registry, `rodado_db_pool_${name}`, POOL_FIGURES[name], [], () => [[{}, connections()[name]]])
}

const LAST_BACKUP = 'last_backup'

/** Stores when the last backup was made, for the metrics and `rodado doctor`. */
export async function recordBackup(db: Db, at: Date): Promise<void> {
  await db.query(sql`
    insert into settings (name, value) values (${LAST_BACKUP}, ${at.toISOString()})
    on conflict (name) do update set value = excluded.value`)
}

export async function lastBackup(db: Db): Promise<Date | undefined> {
  const [row] = await db.query<{ value: string }>(sql`select value from settings where name = ${LAST_BACKUP}`)
  return row && new Date(row.value)
}

/** Absent while `rodado backup` has never run: other tools report their own. */
export function measureBackups(registry: Registry, db: Db): void {
  const name = 'rodado_backup_last_success_timestamp_seconds'
  gauge(registry, name, 'When `rodado backup` last succeeded.', [], async () => {
    const at = await forScrape(lastBackup(db))
    return at && [[{}, at.getTime() / 1000]]
  })
}
