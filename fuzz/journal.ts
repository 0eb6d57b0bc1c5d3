import sql, { empty, join, raw } from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'

/** What a refused request may leave behind: that it was there. */
const NOTED = ['used_signatures', 'app_usage', 'app_firsts', 'app_reads', 'audit_log', 'ended_sessions']

/** Writes down every row that is changed and not taken back, in the transaction it belongs to. */
export async function openJournal(store: Store) {
  const tables = await store.query<{ name: string }>(sql`
    select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p') and not relispartition and relname <> 'pgmigrations'`)
  await store.query(sql`create unlogged table fuzz_journal (changed text not null)`)
  await store.query(sql`
    create function fuzz_note() returns trigger language plpgsql as $$
    begin insert into fuzz_journal values (tg_table_name); return null; end $$`)
  for (const { name } of tables.filter((each) => !NOTED.includes(each.name)))
    await store.query(sql`
      create trigger fuzz_note after insert or update or delete on ${raw(name)}
      for each row execute function fuzz_note()`)

  return {
    /** The tables that were changed since the last look. */
    async take(): Promise<string[]> {
      const rows = await store.query<{ changed: string }>(sql`
        with taken as (delete from fuzz_journal returning changed) select distinct changed from taken`)
      return rows.map(({ changed }) => changed)
    },
    tables: tables.length,
  }
}

/** Everything that belongs to some apps and agencies, as one value: it changes when anything of theirs does. */
export async function digestOf(store: Store, owners: { apps: number[]; agencias: number[] }): Promise<string> {
  const columns = await store.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    join pg_class on relname = table_name and relkind in ('r', 'p') and not relispartition
    where table_schema = 'public' and column_name in ('app_id', 'agencia_id')
      and table_name not in (${join(NOTED)}) order by 1, 2`)
  const digests = columns.map(({ table, column }) => {
    const ids = column === 'app_id' ? owners.apps : owners.agencias
    return sql`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as d
      from ${raw(table)} t where ${raw(column)} = any (${ids})`
  })
  const rows = await store.query<{ d: string }>(digests.length > 0 ? join(digests, ' union all ') : empty)
  return rows.map(({ d }) => d).join()
}
