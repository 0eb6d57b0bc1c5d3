import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Connection, Log } from './db.ts'
import { newClient } from './failover.ts'

/** Where each step of the schema stands, as a file of SQL. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Where PostgreSQL keeps which of them were run. */
export const MIGRATIONS_TABLE = 'migrations'
/** Who changes the schema holds it. Any number will do if every node takes the same; these are the letters of "rodado". */
export const SCHEMA_LOCK = 0x72_6f_64_61_64_6f
const OLDEST_SERVER = 15
/**
 * A migration and a request that hold what the other wants: shorter than PostgreSQL's deadlock_timeout (1 s), so that the
 * migration gives way and tries again, and no request is ever refused for it.
 */
const LOCK_TIMEOUT_MS = 150
/** Autovacuum gives way to whoever has waited as long as deadlock_timeout, and not before. */
const LOCK_TIMEOUT_BESIDE_VACUUM_MS = 1_300
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
/** Those who waited behind it are served in between, the longer the harder it is. */
const GIVING_WAY_MS = 250
const GIVING_WAY_AT_MOST_MS = 5_000
/** A backup holds every table as long as it runs. */
const LOCK_PATIENCE_MS = 600_000
const CONNECT_TIMEOUT_MS = 5_000

export interface MigrateOptions {
  log?: Log
  /** Another folder of migrations, for the tests of this file. */
  dir?: string
}

/** Brings the database to this version and names what it ran; nodes that start together wait for one another here. */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<string[]> {
  const { log, dir = MIGRATIONS_DIR } = options
  const client = newClient(connection, {
    application_name: 'rodado migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A connection lost between two statements would otherwise end the process; the next statement fails with it anyway.
  client.on('error', (err) => log?.warn({ err }, 'migrate: the connection was lost'))
  await client.connect()
  try {
    await refuseOldServer(client)
    // The runner's own lock fails instead of waiting, or waits on a key it shares with every other user of the library.
    await client.query(`select pg_advisory_lock(${SCHEMA_LOCK})`)
    await refuseNewerDatabase(client, dir)
    const before = new Set(await appliedNames(client))
    if ((await migrationNames(dir)).every((name) => before.has(name))) return []
    const tell = (applied: string[]) => {
      const ran = applied.filter((name) => !before.has(name))
      for (const migration of ran) log?.info({ migration }, 'migrate: applied')
      return ran
    }
    await runAll(client, dir, log).catch(async (error: Error) => {
      const applied = await appliedNames(client).catch(() => undefined)
      if (!applied) throw error // the database is gone, which says more
      tell(applied) // those before the one that failed stay
      const failed = (await migrationNames(dir)).find((name) => !applied.includes(name))
      throw new Error(`the migration ${failed} failed and left nothing of itself: ${error.message}`, { cause: error })
    })
    return tell(await appliedNames(client))
  } finally {
    await client.end()
  }
}

/** Each is a transaction of its own, so that none holds the locks of another; one that cannot have its locks tries again. */
async function runAll(client: pg.Client, dir: string, log: Log | undefined): Promise<void> {
  const { runner } = await import('node-pg-migrate') // only where something is to be run: it loads slowly
  const deadline = performance.now() + LOCK_PATIENCE_MS
  for (let givingWay = GIVING_WAY_MS; ; givingWay = Math.min(2 * givingWay, GIVING_WAY_AT_MOST_MS))
    try {
      await client.query(`set lock_timeout = ${await lockTimeoutMs(client)}`)
      await runner({
        dbClient: client,
        dir,
        direction: 'up',
        schema: 'public',
        migrationsTable: MIGRATIONS_TABLE,
        singleTransaction: false,
        noLock: true,
        ignorePattern: '.*(?<!\\.sql)',
        logger: quiet,
      })
      return
    } catch (err) {
      await client.query('rollback').catch(() => undefined) // of a connection that is gone nothing is left
      const { code } = err as { code?: string }
      if ((code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) || performance.now() > deadline) throw err
      log?.warn({ err }, 'migrate: somebody holds what it needs; it tries again')
      await pause(givingWay)
    }
}

async function lockTimeoutMs(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    'select from pg_stat_progress_vacuum where datname = current_database() limit 1',
  )
  return rowCount ? LOCK_TIMEOUT_BESIDE_VACUUM_MS : LOCK_TIMEOUT_MS
}

/** The migrations that this version knows, in their order. */
export async function migrationNames(dir = MIGRATIONS_DIR): Promise<string[]> {
  const files = await readdir(dir)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => basename(file, '.sql'))
    .sort()
}

const nothing = () => undefined
/** The runner narrates each step; what matters is what it ran, and an error is thrown. */
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string; server_version: string }>(
    `select current_setting('server_version_num') as server_version_num, current_setting('server_version') as server_version`,
  )
  const version = rows[0]
  if (version && Number(version.server_version_num) >= OLDEST_SERVER * 10_000) return
  throw new Error(
    `PostgreSQL ${version?.server_version} is too old: Rodado needs ${OLDEST_SERVER} or newer. Upgrade the server that DATABASE_URL names.`,
  )
}

/** Older code on a newer schema would run until the first surprise; better that it does not start. */
async function refuseNewerDatabase(client: pg.Client, dir: string): Promise<void> {
  const known = new Set(await migrationNames(dir))
  const unknown = (await appliedNames(client)).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new Error(
    `The database was migrated by a newer version of Rodado (${unknown.join(', ')} is not known here). Start that version or a later one.`,
  )
}

/** The migrations that were run on the database, in their order. */
async function appliedNames(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query(`select from pg_tables where tablename = $1 and schemaname = 'public'`, [
    MIGRATIONS_TABLE,
  ])
  if (tables.length === 0) return []
  const { rows } = await client.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE} order by id`)
  return rows.map(({ name }) => name)
}
