import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { CREATE_MIGRATIONS, MIGRATIONS_DIR, MIGRATIONS_TABLE, migrationNames } from '../migrate.ts'
import { BackupFault, type Partition, type Sequence } from './file.ts'

/** The first start fills these tables. */
// biome-ignore format: one line is easier to read
const FILLED_AT_START = new Set([MIGRATIONS_TABLE, 'settings', 'signing_keys', 'account_links', 'consent_texts', 'scheduled_tasks', 'heartbeats', 'photo_positions'])

export async function refuseNewer(migrations: string[]): Promise<void> {
  const known = new Set(await migrationNames())
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new BackupFault(
      `The backup was made by a newer version of Rodado (${unknown.join(', ')} is not known here). Restore it with that version or a later one.`,
    )
}

/** The tables with data; refuses a database with foreign tables. */
export async function usedTables(client: pg.Client): Promise<string[]> {
  const names = await tableNames(client)
  const ownTables = await tablesOfMigrations()
  const foreign = names.filter((name) => !ownTables.has(name))
  if (foreign.length > 0)
    throw new BackupFault(
      `The database holds tables that are not Rodado's (${foreign.slice(0, 5).join(', ')}). Give Rodado a database of its own.`,
    )
  const used: string[] = []
  for (const name of names.filter((each) => !FILLED_AT_START.has(each))) {
    const { rows } = await client.query<{ used: boolean }>(`select exists (select from ${qualified(name)}) as used`)
    if (rows[0]?.used) used.push(name)
  }
  return used
}

async function tablesOfMigrations(): Promise<Set<string>> {
  const texts = await Promise.all((await migrationNames()).map(textOf))
  const tables = texts.flatMap((text) => [...text.matchAll(/^create table (\w+)/gim)].map(([, name = '']) => name))
  return new Set([MIGRATIONS_TABLE, ...tables])
}

const textOf = (name: string): Promise<string> => readFile(join(MIGRATIONS_DIR, `${name}.sql`), 'utf8')

/** Drops all tables and creates those of the migrations, in the caller's transaction. */
export async function rebuild(client: pg.Client, migrations: string[]): Promise<void> {
  const names = await tableNames(client)
  if (names.length > 0) await client.query(`drop table ${names.map(qualified).join(', ')} cascade`)
  const { rows: functions } = await client.query<{ call: string }>(`
    select oid::regprocedure::text as call from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  for (const { call } of functions) await client.query(`drop function ${call} cascade`)
  await client.query(CREATE_MIGRATIONS)
  for (const name of migrations) await client.query(await textOf(name))
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const qualified = (name: string): string => `public.${quotedName(name)}`

export async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  return rows.map(({ name }) => name)
}

/** All tables with their columns that are not generated, each after those that its foreign keys lead to. */
export async function tablesInOrder(client: pg.Client) {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`)
  const { rows: keys } = await client.query<{ from: string; to: string }>(`
    select distinct f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`)
  const ordered: typeof tables = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const free = [...left.values()].filter(({ name }) => !keys.some(({ from, to }) => from === name && left.has(to)))
    if (free.length === 0)
      throw new Error(`The tables ${[...left.keys()].join(', ')} reference each other in a circle.`)
    for (const table of free) left.delete(table.name)
    ordered.push(...free)
  }
  return ordered
}

export async function partitionsOf(client: pg.Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(`
    select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound,
      array_to_string(c.reloptions, ', ') as options
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p') order by 1`)
  return rows
}

/** Read after the rows: a sequence ignores transactions, and may be ahead of the copied rows, never behind. */
export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence & { isReadable: boolean }>(`
    select sequencename as name, coalesce(last_value, start_value)::text as last, last_value is not null as "isCalled",
      has_sequence_privilege(format('public.%I', sequencename), 'usage, select') as "isReadable"
    from pg_sequences where schemaname = 'public' order by 1`)
  // PostgreSQL shows no value then, and a restore would give ids a second time.
  const hidden = rows.find(({ isReadable }) => !isReadable)
  if (hidden)
    throw new BackupFault(`The role may not read the sequence ${hidden.name}: docs/database.md has the grants.`)
  return rows.map(({ name, last, isCalled }) => ({ name, last, isCalled }))
}
