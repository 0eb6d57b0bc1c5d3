import type { Span } from '@opentelemetry/api'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/*
 * An outbox table has, besides its own, the columns
 *   id · estado (pendiente|entregada|fallida|guardada|descartada) · attempts · due_at · leased_until · lease · last_error · settled_at
 * and an index on (due_at), or on (queue column, due_at), where estado = 'pendiente'; with a queue column, also created_at.
 * The code that inserts a row calls `Db.notify`. Table and column names come from our code, never from outside. All times
 * are PostgreSQL's.
 */
export interface OutboxTable {
  table: string
  /** The type of its ids. A text id is made of letters, digits and hyphens. */
  id: 'bigint' | 'text'
  /** The column that divides the table into queues, which do not delay each other. Without it the table is one queue. */
  queueColumn?: string
  /**
   * True if handling a row twice is harmless. The worker's writes then do not wait for the disk, and rows leased by a
   * crashed worker do not count as attempted.
   */
  repeatable?: boolean
  /** True if it is partitioned by its id. */
  partitioned?: boolean
}

/** A row leased by this worker. `attempts` includes the one that starts now. */
export interface Claimed {
  id: number | string
  attempts: number
  lease: string
  queue: number
  /** Attempts outside the schedule, where the table counts them. */
  extraAttempts?: number
  /** When it was claimed, by the worker's own clock. */
  takenMs: number
  /** Of the attempt, while tracing is on. */
  span?: Span | undefined
}

/** The only queue of a table without a queue column. */
export const SINGLE_QUEUE = 0

/** What is stored about a row: settled for good, or due again after some seconds. */
export interface Settlement extends Pick<Claimed, 'id' | 'lease' | 'attempts'> {
  estado: 'entregada' | 'fallida' | 'guardada' | 'descartada' | 'pendiente'
  /** True if the attempt uses up a step of the schedule. */
  usesAttempt: boolean
  /** Only with `pendiente`. */
  delaySeconds: number | null
  error: string | null
}

const DUE = sql`estado = 'pendiente' and due_at <= now()`
const FREE = sql`(leased_until is null or leased_until <= now())`

/** Commits of a repeatable table do not wait for the disk. Part of the statement, to save a round trip. */
const withoutFsync = ({ repeatable }: OutboxTable): Sql =>
  repeatable ? sql`and (select set_config('synchronous_commit', 'off', true)) = 'off'` : empty

/** The queues with pending rows, as a recursive query: each takes one step through the index, however long the queue is. */
export const pendingQueues = (from: Sql, column: Sql): Sql => sql`
  with recursive queues (queue) as (
    (select ${column} from ${from} where estado = 'pendiente' and ${column} is not null order by ${column} limit 1)
    union all
    select (select ${column} from ${from} where estado = 'pendiente' and ${column} > queue order by ${column} limit 1)
    from queues where queue is not null
  )`

export async function dueQueues(db: Db, { table, queueColumn }: OutboxTable): Promise<number[]> {
  if (queueColumn === undefined) return [SINGLE_QUEUE]
  const from = raw(table)
  const column = raw(queueColumn)
  const rows = await db.query<{ queue: number }>(
    sql`/* find due ${from} */ ${pendingQueues(from, column)}
    select queue from queues
    where queue is not null and exists (select from ${from} where ${column} = queue and ${DUE})`,
    'keep-plan',
  )
  return rows.map(({ queue }) => queue)
}

export interface Lease extends Pick<Claimed, 'lease' | 'takenMs'> {
  leaseSeconds: number
}

interface Claim extends Lease {
  /** How many rows at most, of each queue. */
  limits: readonly (readonly [queue: number, limit: number])[]
}

/**
 * Leases rows that are due, or whose worker died; rows that another worker is claiming are skipped. No changed column is
 * indexed, so that PostgreSQL makes a HOT update. The rows are found again by ctid, which cannot change while locked; in a
 * partitioned table by id, which selects the partition.
 */
export async function claim<Row extends Claimed>(
  db: Db,
  outbox: OutboxTable,
  columns: Sql,
  { lease, leaseSeconds, takenMs, limits }: Claim,
): Promise<Row[]> {
  const { table, queueColumn } = outbox
  const rows = await db.query<Row>(
    sql`/* claim ${raw(table)} */
    update ${raw(table)} row
    set lease = ${lease}, leased_until = now() + make_interval(secs => ${leaseSeconds}), attempts = ${attemptsOf(outbox)}
    ${found(outbox, dueRows(outbox, limits))} ${withoutFsync(outbox)}
    returning row.id, row.attempts, ${queueColumn ? sql`row.${raw(queueColumn)}` : sql`${SINGLE_QUEUE}::int`} as queue,
      ${columns}`,
    'keep-plan',
  )
  for (const row of rows) {
    row.lease = lease
    row.takenMs = takenMs
  }
  return rows
}

/** The bounds are always true: PostgreSQL then expects one row and uses the index. For ten it would read a whole new table. */
const found = ({ partitioned }: OutboxTable, rows: Sql): Sql =>
  partitioned
    ? sql`from unnest(array(${rows})) with ordinality as due (id, nth) where row.id = due.id and due.nth between 1 and 1000000`
    : sql`where row.ctid = any (array(${rows}))`

/** The number of the attempt that starts now. In a repeatable table, a row whose worker died before settling it does not count. */
const attemptsOf = ({ repeatable }: OutboxTable): Sql =>
  repeatable
    ? sql`case when row.lease is null then row.attempts + 1 else greatest(row.attempts, 1) end`
    : sql`row.attempts + 1`

/** Its arrays are not hidden (prepared.ts), so PostgreSQL plans each call: an old plan would read the whole table. */
function dueRows({ table, queueColumn, partitioned }: OutboxTable, limits: Claim['limits']): Sql {
  const key = raw(partitioned ? 'id' : 'ctid')
  if (queueColumn === undefined)
    return sql`
      select ${key} from ${raw(table)} where ${DUE} and ${FREE}
      order by due_at limit ${limits[0]?.[1] ?? 0} for update skip locked`
  return sql`
    select due.${key}
    from unnest(${limits.map(([queue]) => queue)}::int[], ${limits.map(([, limit]) => limit)}::int[])
      as wanted (queue, most)
    cross join lateral (
      select ${key} from ${raw(table)} where ${raw(queueColumn)} = wanted.queue and ${DUE} and ${FREE}
      order by due_at limit wanted.most for update skip locked
    ) due`
}

/** While we hold the lease, `attempts` falls only if somebody resends the row: a failure is then not the end. */
const WAS_RESENT = sql`(row.attempts < ended.attempts and ended.uses_attempt and ended.estado <> 'entregada')`

/**
 * Settles a batch in one statement and returns which rows were settled: one whose lease was lost is not. Usually that is
 * all of them, and PostgreSQL sends no ids back. A row that was resent meanwhile is due after `againSeconds`. Each array
 * is in a select of its own, which hides its length: otherwise PostgreSQL may read the whole table for a large batch.
 */
export async function settle(
  db: Db,
  outbox: OutboxTable,
  batch: readonly Settlement[],
  againSeconds: number,
): Promise<(row: Pick<Claimed, 'id' | 'lease'>) => boolean> {
  // Sorted by id, the order in which all code locks several rows.
  const ended = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const column = (name: keyof Settlement) => ended.map((settlement) => settlement[name])
  const [settled] = await db.query<{ keys: string[] | null }>(
    sql`/* settle ${raw(outbox.table)} */
    with settled as (
      update ${raw(outbox.table)} row
      set estado = case when ${WAS_RESENT} then 'pendiente' else ended.estado end, lease = null, leased_until = null,
        attempts = case when ended.uses_attempt then row.attempts else greatest(row.attempts - 1, 0) end,
        last_error = case when ended.uses_attempt then ended.error else coalesce(ended.error, row.last_error) end,
        due_at = coalesce(
          now() + make_interval(secs => case when ${WAS_RESENT} then ${againSeconds} else ended.delay end), row.due_at),
        settled_at = case when ended.estado <> 'pendiente' and not ${WAS_RESENT} then now() end
      from unnest(
        (select ${column('id')}::${raw(outbox.id)}[]), (select ${column('lease')}::text[]),
        (select ${column('attempts')}::int[]), (select ${column('estado')}::text[]), (select ${column('usesAttempt')}::bool[]),
        (select ${column('delaySeconds')}::float8[]), (select ${column('error')}::text[])
      ) as ended (id, lease, attempts, estado, uses_attempt, delay, error)
      where row.id = ended.id and row.lease = ended.lease ${withoutFsync(outbox)}
        -- Always true. PostgreSQL then expects one row and uses the index: for ten it would read the whole of a new table.
        and ended.attempts >= 0 and ended.lease >= ''
      returning row.id, ended.lease
    )
    select case when count(*) < ${batch.length}::int then coalesce(array_agg(id || ' ' || lease), '{}') end as keys
    from settled`,
    'keep-plan',
  )
  if (settled?.keys === null) return () => true
  // By lease too: a row that was claimed again may be twice in one batch, the first time with a lost lease.
  const keys = new Set(settled?.keys)
  return ({ id, lease }) => keys.has(`${id} ${lease}`)
}
