import { Histogram, type Registry } from 'prom-client'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { forScrape, gauge } from '../store/metrics.ts'
import { type OutboxTable, pendingQueues } from './outbox.ts'

const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
/** More rows than this are estimated: counting a million takes PostgreSQL seconds. */
export const MAX_COUNTED = 10_000

interface WatchedTable extends Pick<OutboxTable, 'table' | 'queueColumn'> {
  /** Selects queues whose rows are due and yet not late, because their receiver is paused; the queue's alias is `row`. */
  held?: Sql
}

/** Depth and age of the outbox tables, the same from every node and role. */
export function measureOutbox(registry: Registry, db: Db, tables: readonly WatchedTable[]): void {
  let reading: Promise<(Pending | undefined)[]> | undefined
  /** Both gauges of one scrape share what is read. */
  const read = () => {
    reading ??= Promise.all(tables.map((each) => forScrape(readPending(db, each)))).finally(() => {
      reading = undefined
    })
    return reading
  }
  const figure = (name: string, help: string, value: 'count' | 'seconds') =>
    gauge(registry, name, help, ['table'], async () =>
      (await read()).flatMap((pending) => (pending ? [[{ table: pending.table }, pending[value]]] : [])),
    )
  figure(
    'rodado_outbox_queued',
    `Rows that are not delivered yet, including those that wait for a retry. Above ${MAX_COUNTED} it is an estimate.`,
    'count',
  )
  figure(
    'rodado_outbox_behind_seconds',
    'How long the oldest due row has been waiting; 0 if none is due. Rows of paused receivers are not counted.',
    'seconds',
  )
}

/** The attempts of this process. Returns the function to call after each. */
export function measureAttempts(registry: Registry, tables: readonly string[], inFlight: (table: string) => number) {
  const attempts = new Histogram({
    name: 'rodado_outbox_attempt_duration_seconds',
    help: 'Delivery attempts by table and outcome.',
    labelNames: ['table', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  })
  gauge(registry, 'rodado_outbox_in_flight', 'Attempts that this process is making now.', ['table'], () =>
    tables.map((table) => [{ table }, inFlight(table)]),
  )
  return (table: string, outcome: string, ms: number): void => attempts.observe({ table, outcome }, ms / 1000)
}

interface Pending {
  table: string
  count: number
  seconds: number
}

async function readPending(db: Db, watched: WatchedTable): Promise<Pending> {
  const [count, seconds] = await Promise.all([countPending(db, watched), secondsBehind(db, watched)])
  return { table: watched.table, count, seconds }
}

const PENDING = sql`estado = 'pendiente'`

/** The order makes PostgreSQL use the index of the pending rows, whatever it knows about their number. */
async function countPending(db: Db, { table, queueColumn }: WatchedTable): Promise<number> {
  const order = raw(queueColumn ? `${queueColumn}, due_at` : 'due_at')
  const [counted] = await db.query<{ count: number }>(sql`/* count ${raw(table)} */
    select count(*) from (
      select from ${raw(table)} where ${PENDING} order by ${order} limit ${MAX_COUNTED}
    ) as pending`)
  const count = counted?.count ?? 0
  return count < MAX_COUNTED ? count : Math.max(count, await estimatePending(db, table))
}

/** By PostgreSQL's statistics, which autovacuum renews. */
async function estimatePending(db: Db, table: string): Promise<number> {
  const [planned] = await db.query<{
    'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }]
  }>(sql`/* estimate ${raw(table)} */
    explain (format json) select from ${raw(table)} where ${PENDING}`)
  return planned?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** Takes two steps through the index for each queue, however long it is. */
async function secondsBehind(db: Db, { table, queueColumn, held }: WatchedTable): Promise<number> {
  const from = raw(table)
  const oldest = queueColumn
    ? oldestOfQueues(from, raw(queueColumn), held)
    : sql`select due_at from ${from} where ${PENDING} order by due_at limit 1`
  const [row] = await db.query<{ seconds: number | null }>(sql`/* age of ${from} */
    select extract(epoch from now() - min(due_at))::float8 as seconds from (${oldest}) as oldest`)
  return Math.max(0, row?.seconds ?? 0)
}

/** If all rows of a queue wait to be released in order (`due_at` is infinity), the age of one of them counts. */
const oldestOfQueues = (from: Sql, column: Sql, held?: Sql): Sql => sql`${pendingQueues(from, column)}
  select case first.due_at when 'infinity' then first.created_at else first.due_at end as due_at
  from queues as row (${column})
  cross join lateral (
    select due_at, created_at from ${from} as pending where pending.${column} = row.${column} and ${PENDING} order by due_at limit 1
  ) as first
  where row.${column} is not null ${held ? sql`and not ${held}` : empty}`
