import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Log } from './circuit-breaker.ts'
import { type Connection, withClient } from './failover.ts'

export const MIGRATIONS_DIR = fileURLToPath(new URL('./migrations/', import.meta.url))
export const MIGRATIONS_TABLE = 'migrations'
/** The advisory lock of schema changes: "rodado" in ASCII. */
export const SCHEMA_LOCK = 0x72_6f_64_61_64_6f
const MIN_SERVER_VERSION = 15
/** Shorter than PostgreSQL's deadlock_timeout (1 s): the migration gives up, and the request succeeds. */
const LOCK_TIMEOUT_MS = 150
/** Autovacuum gives way only after deadlock_timeout. */
const LOCK_TIMEOUT_BESIDE_VACUUM_MS = 1_300
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
/** Requests that waited behind the migration run in between. */
const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 5_000
/** A backup locks every table while it runs. */
const RETRY_FOR_MS = 600_000

export interface MigrateOptions {
  log?: Log
  /** Another folder of migrations, for the tests of this file. */
  dir?: string
}

/** Migrates the database and returns the migrations that it ran. Nodes that start together run one after another. */
export const migrate = (
  connection: Connection,
  { log, dir = MIGRATIONS_DIR }: MigrateOptions = {},
): Promise<string[]> =>
  withClient(connection, { application_name: 'rodado migrate' }, async (client) => {
    await refuseOldServer(client)
    // The runner's own lock fails instead of waiting.
    await client.query(`select pg_advisory_lock(${SCHEMA_LOCK})`)
    const names = await migrationNames(dir)
    const before = await appliedNames(client)
    refuseNewerDatabase(before, names)
    if (names.every((name) => before.includes(name))) return []
    const logNew = (applied: string[]) => {
      const ran = applied.filter((name) => !before.includes(name))
      for (const migration of ran) log?.info({ migration }, 'migrate: applied')
      return ran
    }
    await runAll(client, dir, log).catch(async (error: Error) => {
      const applied = await appliedNames(client).catch(() => undefined)
      if (!applied) throw error // the database is gone, which says more
      logNew(applied) // those before the one that failed stay
      const failed = names.find((name) => !applied.includes(name))
      throw new Error(`the migration ${failed} failed and left nothing of itself: ${error.message}`, { cause: error })
    })
    return logNew(await appliedNames(client))
  })

/** Runs each migration in its own transaction, and retries one that cannot get its locks. */
async function runAll(client: pg.Client, dir: string, log: Log | undefined): Promise<void> {
  const { runner } = await import('node-pg-migrate') // only where something is to be run: it loads slowly
  const deadline = performance.now() + RETRY_FOR_MS
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, MAX_RETRY_MS))
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
      await client.query('rollback').catch(() => undefined)
      const { code } = err as { code?: string }
      if ((code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) || performance.now() > deadline) throw err
      log?.warn({ err }, 'migrate: could not get a lock; retrying')
      await pause(retryMs)
    }
}

async function lockTimeoutMs(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    'select from pg_stat_progress_vacuum where datname = current_database() limit 1',
  )
  return rowCount ? LOCK_TIMEOUT_BESIDE_VACUUM_MS : LOCK_TIMEOUT_MS
}

/** The migrations of this version, in order. */
export async function migrationNames(dir = MIGRATIONS_DIR): Promise<string[]> {
  const files = await readdir(dir)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => basename(file, '.sql'))
    .sort()
}

const nothing = () => undefined
const quiet = { debug: nothing, info: nothing, warn: nothing, error: nothing }

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= MIN_SERVER_VERSION) return
  throw new Error(
    `PostgreSQL ${version} is too old: Rodado needs ${MIN_SERVER_VERSION} or newer. Upgrade the server that DATABASE_URL names.`,
  )
}

/** Older code must not run on a newer schema. */
function refuseNewerDatabase(applied: string[], known: string[]): void {
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new Error(
    `The database was migrated by a newer version of Rodado (${unknown.join(', ')} is not known here). Start that version or a later one.`,
  )
}

/** The migrations that were run on the database, in order. */
async function appliedNames(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query(`select where to_regclass('public.${MIGRATIONS_TABLE}') is not null`)
  if (tables.length === 0) return []
  const { rows } = await client.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE} order by id`)
  return rows.map(({ name }) => name)
}
