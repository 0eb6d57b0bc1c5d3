import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { MIGRATIONS_DIR, MIGRATIONS_TABLE, migrationNames } from '../migrate.ts'
import { BackupFault } from './file.ts'
import { place, tableNames } from './tables.ts'

/** As the migrations' runner makes it. */
const MAKE_MIGRATIONS = `create table ${MIGRATIONS_TABLE} (
  id serial primary key, name varchar(255) not null, run_on timestamp not null)`
/** What a store has before anybody used it: the first start writes these. */
const OF_THE_HOUSE = new Set([MIGRATIONS_TABLE, 'settings', 'signing_keys', 'account_links', 'consent_texts'])

/** Refuses what was migrated further than this version goes. */
export async function refuseNewer(migrations: string[]): Promise<void> {
  const known = new Set(await migrationNames())
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new BackupFault(
      `The backup was made by a newer version of Rodado (${unknown.join(', ')} is not known here). Restore it with that version or a later one.`,
    )
}

/** The tables in which somebody left something; tables of others are refused, since they would be in the way. */
export async function usedTables(client: pg.Client): Promise<string[]> {
  const names = await tableNames(client)
  const ours = await tablesOfMigrations()
  const foreign = names.filter((name) => !ours.has(name))
  if (foreign.length > 0)
    throw new BackupFault(
      `The database holds tables that are not Rodado's (${foreign.slice(0, 5).join(', ')}). Give Rodado a database of its own.`,
    )
  const used: string[] = []
  for (const name of names.filter((each) => !OF_THE_HOUSE.has(each))) {
    const { rows } = await client.query<{ used: boolean }>(`select exists (select from ${place(name)}) as used`)
    if (rows[0]?.used) used.push(name)
  }
  return used
}

async function tablesOfMigrations(): Promise<Set<string>> {
  const texts = await Promise.all((await migrationNames()).map(textOf))
  const made = texts.flatMap((text) => [...text.matchAll(/^create table (\w+)/gim)].map(([, name = '']) => name))
  return new Set([MIGRATIONS_TABLE, ...made])
}

const textOf = (name: string): Promise<string> => readFile(join(MIGRATIONS_DIR, `${name}.sql`), 'utf8')

/** Makes the tables anew as those migrations made them, within the caller's transaction; what was there is gone. */
export async function rebuild(client: pg.Client, migrations: string[]): Promise<void> {
  const names = await tableNames(client)
  if (names.length > 0) await client.query(`drop table ${names.map(place).join(', ')} cascade`)
  const { rows: functions } = await client.query<{ call: string }>(`
    select oid::regprocedure::text as call from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  for (const { call } of functions) await client.query(`drop function ${call} cascade`)
  await client.query(MAKE_MIGRATIONS)
  for (const name of migrations) await client.query(await textOf(name))
}
