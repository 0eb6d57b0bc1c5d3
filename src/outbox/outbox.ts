import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/*
 * A queue is a table that has, beside its own, the columns
 *   id bigint · estado (pendiente|entregada|fallida|guardada) · attempts · due_at · leased_until · lease · last_error · settled_at
 * an index on (due_at) where estado = 'pendiente' (whoever puts a row there rings, `Db.ring`). Its name comes from our code, never
 * from outside. All time is PostgreSQL's.
 */

/** A row in a worker's hands; `attempts` counts the one that begins now. */
export interface Claimed {
  id: number
  attempts: number
  lease: string
}

/** What became of a row: settled for good, or due again after some seconds. */
export interface Settlement extends Pick<Claimed, 'id' | 'lease'> {
  estado: 'entregada' | 'fallida' | 'guardada' | 'pendiente'
  /** Only with `pendiente`. */
  delaySeconds: number | null
  error: string | null
}

/**
 * Takes what is due, or was left behind by a worker that died: rows that another one is just taking are passed by.
 * Neither column that changes here is indexed, so that PostgreSQL need not touch an index (a HOT update).
 */
export const claim = <Row extends Claimed>(
  db: Db,
  table: string,
  columns: Sql,
  { lease, limit, leaseSeconds }: { lease: string; limit: number; leaseSeconds: number },
): Promise<Row[]> =>
  db.query<Row>(sql`
    with due as materialized (
      select id from ${raw(table)}
      where estado = 'pendiente' and due_at <= now() and (leased_until is null or leased_until <= now())
      order by due_at limit ${limit} for update skip locked
    )
    update ${raw(table)} row
    set lease = ${lease}, leased_until = now() + make_interval(secs => ${leaseSeconds}), attempts = row.attempts + 1
    from due where row.id = due.id
    returning row.id, row.attempts, row.lease, ${columns}`)

/** Settles a batch in one statement and gives the ids it settled: whoever lost a lease meanwhile has no say any more. */
export async function settle(db: Db, table: string, batch: Settlement[]): Promise<Set<number>> {
  const settled = await db.query<{ id: number }>(sql`
    update ${raw(table)} row
    set estado = ended.estado, lease = null, leased_until = null, last_error = ended.error,
      due_at = coalesce(now() + make_interval(secs => ended.delay), row.due_at),
      settled_at = case when ended.estado <> 'pendiente' then now() end
    from unnest(
      ${batch.map(({ id }) => id)}::bigint[], ${batch.map(({ lease }) => lease)}::text[],
      ${batch.map(({ estado }) => estado)}::text[], ${batch.map(({ delaySeconds }) => delaySeconds)}::float8[],
      ${batch.map(({ error }) => error)}::text[]
    ) as ended (id, lease, estado, delay, error)
    where row.id = ended.id and row.lease = ended.lease
    returning row.id`)
  return new Set(settled.map(({ id }) => id))
}

/** Gives rows back as if they had not been taken, for another worker to take at once. */
export async function release(db: Db, table: string, rows: Pick<Claimed, 'id' | 'lease'>[]): Promise<void> {
  await db.query(sql`
    update ${raw(table)} row
    set lease = null, leased_until = null, attempts = row.attempts - 1
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ lease }) => lease)}::text[]) as taken (id, lease)
    where row.id = taken.id and row.lease = taken.lease`)
}
