import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/*
 * A queue is a table that has, beside its own, the columns
 *   id · estado (pendiente|entregada|fallida|guardada|descartada) · attempts · due_at · leased_until · lease · last_error · settled_at
 * and an index on (due_at), or on (lane, due_at) where it has lanes, where estado = 'pendiente'. Whoever puts a row there
 * rings (`Db.notify`). Its names come from our code, never from outside. All time is PostgreSQL's.
 */
export interface Queue {
  table: string
  /** The type of its ids; a text is made of letters, digits and hyphens. */
  id: 'bigint' | 'text'
  /** The column that parts it in lanes, none of which holds up another; without it, the queue is one lane. */
  lane?: string
  /**
   * Whether to do it twice does no harm. Then what a worker writes need not wait for the disk, and what a worker that died
   * had taken does not count as an attempt: it may only have waited in its hands.
   */
  repeatable?: boolean
}

/** A row in a worker's hands; `attempts` counts the one that begins now. */
export interface Claimed {
  id: number | string
  attempts: number
  lease: string
  lane: number
  /** Attempts that its schedule does not count, where the queue keeps their number. */
  carried?: number
  /** When it was taken, by the worker's own clock. */
  takenMs: number
}

/** The one lane of a queue that has none. */
export const ONLY_LANE = 0

/** What became of a row: settled for good, or due again after some seconds. */
export interface Settlement extends Pick<Claimed, 'id' | 'lease' | 'attempts'> {
  estado: 'entregada' | 'fallida' | 'guardada' | 'descartada' | 'pendiente'
  /** Whether the schedule moves on; otherwise it is, as far as that goes, as if it had not been taken. */
  counts: boolean
  /** Only with `pendiente`. */
  delaySeconds: number | null
  error: string | null
}

const DUE = sql`estado = 'pendiente' and due_at <= now()`
const FREE = sql`(leased_until is null or leased_until <= now())`

/** For the whole transaction, as soon as one row is found; in the same statement, because another would take its time. */
const commitOf = ({ repeatable }: Queue): Sql =>
  repeatable ? sql`and (select set_config('synchronous_commit', 'off', true)) = 'off'` : empty

/** The lanes in which something is due, each found by one step through the index, however long the lane. */
export async function dueLanes(db: Db, { table, lane }: Queue): Promise<number[]> {
  if (lane === undefined) return [ONLY_LANE]
  const [queue, column] = [raw(table), raw(lane)]
  const lanes = await db.query<{ lane: number }>(
    sql`
    with recursive lanes (lane) as (
      (select ${column} from ${queue} where estado = 'pendiente' and ${column} is not null order by ${column} limit 1)
      union all
      select (select ${column} from ${queue} where estado = 'pendiente' and ${column} > lane order by ${column} limit 1)
      from lanes where lane is not null
    )
    select lane from lanes
    where lane is not null and exists (select from ${queue} where ${column} = lane and ${DUE})`,
    'keep-plan',
  )
  return lanes.map(({ lane }) => lane)
}

export interface Claim {
  lease: string
  leaseSeconds: number
  takenMs: number
  /** How many at most, of each lane. */
  limits: readonly (readonly [lane: number, most: number])[]
}

/**
 * Takes what is due, or was left behind by a worker that died: rows that another one is just taking are passed by.
 * Neither column that changes here is indexed, so that PostgreSQL need not touch an index (a HOT update). The rows are
 * found again by where they are, which cannot change while they are locked.
 */
export async function claim<Row extends Claimed>(
  db: Db,
  queue: Queue,
  columns: Sql,
  { lease, leaseSeconds, takenMs, limits }: Claim,
): Promise<Row[]> {
  const table = raw(queue.table)
  const rows = await db.query<Row>(
    sql`
    update ${table} row
    set lease = ${lease}, leased_until = now() + make_interval(secs => ${leaseSeconds}), attempts = ${attemptsOf(queue)}
    where row.ctid = any (array(${dueRows(queue, limits)})) ${commitOf(queue)}
    returning row.id, row.attempts, ${queue.lane ? sql`row.${raw(queue.lane)}` : sql`${ONLY_LANE}::int`} as lane,
      ${columns}`,
    'keep-plan',
  )
  for (const row of rows) {
    row.lease = lease
    row.takenMs = takenMs
  }
  return rows
}

/** The attempt that begins now; a row whose last lease was never settled has one that is still to be made. */
const attemptsOf = ({ repeatable }: Queue): Sql =>
  repeatable
    ? sql`case when row.lease is null then row.attempts + 1 else greatest(row.attempts, 1) end`
    : sql`row.attempts + 1`

/** Planned anew for its lanes: a plan kept from when the table was small would read all of it once it is not. */
function dueRows({ table, lane }: Queue, limits: Claim['limits']): Sql {
  if (lane === undefined)
    return sql`
      select ctid from ${raw(table)} where ${DUE} and ${FREE}
      order by due_at limit ${limits[0]?.[1] ?? 0} for update skip locked`
  return sql`
    select due.ctid
    from unnest(${limits.map(([lane]) => lane)}::int[], ${limits.map(([, most]) => most)}::int[]) as wanted (lane, most)
    cross join lateral (
      select ctid from ${raw(table)} where ${raw(lane)} = wanted.lane and ${DUE} and ${FREE}
      order by due_at limit wanted.most for update skip locked
    ) due`
}

/**
 * An array as PostgreSQL reads it, of values that need no quotes: ids and words of our own. pg looks at every character of
 * every value, which made more garbage than anything else in a delivery.
 */
export const plainArray = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`

/** The same of any texts: an error, an answer. */
export const textArray = (texts: readonly (string | null)[]): string => plainArray(texts.map(quoted))

const quoted = (text: string | null): string | null =>
  text === null ? null : `"${SPECIAL.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : text}"`

/** What ends a quoted element of an array, or hides the end. */
const SPECIAL = /["\\]/

/** Under our lease the count of attempts changes only when somebody asks for the row again: then a failure is not the end. */
const ASKED_AGAIN = sql`(row.attempts < ended.attempts and ended.counts and ended.estado <> 'entregada')`

/**
 * Settles a batch in one statement and says which of it: whoever lost a lease meanwhile has no say any more. Mostly that
 * is all of it, and PostgreSQL need not send every id back.
 * What was asked for again is due after `againSeconds`. Each array stands in a select of its own, which hides its length:
 * of several hundred rows PostgreSQL thought that they are best found by reading the whole table, at twice the cost.
 */
export async function settle(
  db: Db,
  queue: Queue,
  batch: readonly Settlement[],
  againSeconds: number,
): Promise<(row: Pick<Claimed, 'id' | 'lease'>) => boolean> {
  // In the order of their ids, as others lock them who lock many.
  const ended = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const column = (name: Exclude<keyof Settlement, 'error'>) => plainArray(ended.map((settlement) => settlement[name]))
  const [settled] = await db.query<{ keys: string[] | null }>(
    sql`
    with settled as (
      update ${raw(queue.table)} row
      set estado = case when ${ASKED_AGAIN} then 'pendiente' else ended.estado end, lease = null, leased_until = null,
        attempts = case when ended.counts then row.attempts else greatest(row.attempts - 1, 0) end,
        last_error = case when ended.counts then ended.error else coalesce(ended.error, row.last_error) end,
        due_at = coalesce(
          now() + make_interval(secs => case when ${ASKED_AGAIN} then ${againSeconds} else ended.delay end), row.due_at),
        settled_at = case when ended.estado <> 'pendiente' and not ${ASKED_AGAIN} then now() end
      from unnest(
        (select ${column('id')}::${raw(queue.id)}[]), (select ${column('lease')}::text[]),
        (select ${column('attempts')}::int[]), (select ${column('estado')}::text[]), (select ${column('counts')}::bool[]),
        (select ${column('delaySeconds')}::float8[]), (select ${textArray(ended.map(({ error }) => error))}::text[])
      ) as ended (id, lease, attempts, estado, counts, delay, error)
      where row.id = ended.id and row.lease = ended.lease ${commitOf(queue)}
      returning row.id, ended.lease
    )
    select case when count(*) < ${batch.length}::int then coalesce(array_agg(id || ' ' || lease), '{}') end as keys
    from settled`,
    'keep-plan',
  )
  if (settled?.keys === null) return () => true
  // By the lease too: a row that was taken again may have ended twice in one batch, the first time without a say.
  const keys = new Set(settled?.keys)
  return ({ id, lease }) => keys.has(`${id} ${lease}`)
}
