import sql, { empty, join, raw } from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'

/** Tables that a refused request may change: usage and audit. */
const UNCHECKED = [
  'used_signatures',
  'app_usage',
  'app_calls',
  'app_secret_uses',
  'app_firsts',
  'app_reads',
  'audit_log',
  'ended_sessions',
  'sessions',
]

/** Records every committed row change with a trigger. */
export async function openJournal(store: Store) {
  const tables = await store.query<{ name: string }>(sql`
    select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p') and not relispartition and relname <> 'pgmigrations'`)
  await store.query(sql`create unlogged table fuzz_journal (changed text not null)`)
  await store.query(sql`
    create function fuzz_record() returns trigger language plpgsql as $$
    begin insert into fuzz_journal values (tg_table_name); return null; end $$`)
  for (const { name } of tables.filter((each) => !UNCHECKED.includes(each.name)))
    await store.query(sql`
      create trigger fuzz_record after insert or update or delete on ${raw(name)}
      for each row execute function fuzz_record()`)

  return {
    /** The tables changed since the last call. */
    async take(): Promise<string[]> {
      const rows = await store.query<{ changed: string }>(sql`
        with taken as (delete from fuzz_journal returning changed) select distinct changed from taken`)
      return rows.map(({ changed }) => changed)
    },
    tables: tables.length,
  }
}

/** For each table, a digest of the rows of these apps and agencies. */
export async function digestOf(
  store: Store,
  owners: { apps: number[]; agencias: number[] },
): Promise<Map<string, string>> {
  const columns = await store.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    join pg_class on relname = table_name and relkind in ('r', 'p') and not relispartition
    where table_schema = 'public' and column_name in ('app_id', 'agencia_id')
      and table_name not in (${join(UNCHECKED)}) order by 1, 2`)
  const digests = columns.map(({ table, column }) => {
    const ids = column === 'app_id' ? owners.apps : owners.agencias
    return sql`select ${`${table}.${column}`}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as d
      from ${raw(table)} t where ${raw(column)} = any (${ids})`
  })
  const rows = await store.query<{ name: string; d: string }>(digests.length > 0 ? join(digests, ' union all ') : empty)
  return new Map(rows.map(({ name, d }) => [name, d]))
}
