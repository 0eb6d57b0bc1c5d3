import sql, { empty, join, raw } from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'

/** Counters change while the server works; `miscounted` checks them instead. */
const COUNTERS = ['used_signatures', 'app_usage', 'app_calls', 'app_secret_uses', 'consulta_counts', 'usos']

interface TableFingerprint {
  columns: string[]
  digests: string[]
}

/** A digest of every row of every table, over the columns the table had then. */
export type Fingerprint = Map<string, TableFingerprint>

/** Reads every row. */
export async function takeFingerprint(store: Store): Promise<Fingerprint> {
  const tables = await store.query<{ table: string; columns: string[] }>(sql`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    group by c.relname order by c.relname`)
  const fingerprint: Fingerprint = new Map()
  for (const { table, columns } of tables)
    if (!COUNTERS.includes(table)) fingerprint.set(table, { columns, digests: await digests(store, table, columns) })
  return fingerprint
}

/** The number of rows. */
export const rowsOf = (fingerprint: Fingerprint): number =>
  [...fingerprint.values()].reduce((sum, each) => sum + each.digests.length, 0)

/** Rows of a table that are missing or changed. */
export interface Changed {
  table: string
  rows: number
  of: number
}

/** The rows that are missing or changed since the fingerprint was taken. Added rows and columns are no change. */
export async function changedSince(store: Store, fingerprint: Fingerprint): Promise<Changed[]> {
  const changed: Changed[] = []
  for (const [table, { columns, digests: before }] of fingerprint) {
    const left = new Map<string, number>()
    for (const digest of await digests(store, table, columns)) left.set(digest, (left.get(digest) ?? 0) + 1)
    const gone = before.filter((digest) => {
      const count = left.get(digest) ?? 0
      left.set(digest, count - 1)
      return count <= 0
    })
    if (gone.length > 0) changed.push({ table, rows: gone.length, of: before.length })
  }
  return changed
}

async function digests(store: Store, table: string, columns: string[]): Promise<string[]> {
  const row = join(columns.map((column) => raw(`"${column}"`)))
  // Which versions may serve the schema is what an upgrade changes.
  const kept = table === 'settings' ? sql`where name <> 'schema_served_from'` : empty
  const found = await store.query<{ digest: string }>(
    sql`select md5(row(${row})::text) as digest from ${raw(table)} ${kept}`,
  )
  return found.map(({ digest }) => digest)
}

/** The number of agencies whose counters differ from the rows they count. */
export async function miscounted(store: Store): Promise<{ consultas: number; publicaciones: number }> {
  const [consultas] = await store.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select agencia_id, count(*) as n from consultas group by agencia_id) c
    full join (select agencia_id, sum((select sum(day) from unnest(dias) day)) as n from consulta_counts
      group by agencia_id) k using (agencia_id)
    where coalesce(c.n, 0) <> coalesce(k.n, 0)`)
  const [publicaciones] = await store.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select agencia_id, count(*) filter (where exposicion = 'Alta') as alta,
        count(*) filter (where exposicion = 'Media') as media, count(*) filter (where exposicion = 'Baja') as baja
      from publicaciones where estado = 'Activa' group by agencia_id) p
    full join usos u using (agencia_id)
    where (coalesce(p.alta, 0), coalesce(p.media, 0), coalesce(p.baja, 0))
      <> (coalesce(u.alta, 0), coalesce(u.media, 0), coalesce(u.baja, 0))`)
  return { consultas: consultas?.count ?? 0, publicaciones: publicaciones?.count ?? 0 }
}
