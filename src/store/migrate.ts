import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Log } from './circuit-breaker.ts'
import { type Connection, withClient } from './failover.ts'

export const MIGRATIONS_DIR = fileURLToPath(new URL('./migrations/', import.meta.url))
export const MIGRATIONS_TABLE = 'migrations'
/** The advisory lock of schema changes: "rodado" in ASCII. */
export const SCHEMA_LOCK = 0x72_6f_64_61_64_6f
/** Held by a restore, and shared for a moment by every process that starts: none may start in the middle of one. */
export const RESTORE_LOCK = SCHEMA_LOCK + 1
/**
 * The oldest version, named by its last migration, that can serve the schema of this one (`npm run drill:upgrade`). It is
 * stored in the database, where older versions read it. A migration that takes something away from them raises it.
 */
const SERVED_FROM = '0036_log_partitions'
const SERVED_FROM_SETTING = 'schema_served_from'
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
/** How long to wait for another process that migrates or restores. */
const HOLDER_WAIT_MS = 60_000
/** A start on a busy machine takes its time; nothing waits for it. */
export const START_TIMEOUT_MS = 20_000
/** How often to check who holds the lock. */
const HOLDER_CHECK_MS = 2_000

/** As node-pg-migrate created it in earlier versions. */
export const CREATE_MIGRATIONS = `create table if not exists public.${MIGRATIONS_TABLE} (
  id serial primary key, name varchar(255) not null, run_on timestamp not null)`

interface MigrateOptions {
  log?: Log
  /** Another folder of migrations, for the tests of this file. */
  dir?: string
  holderWaitMs?: number
}

const clientFor = (application_name: string) => ({ application_name, connectionTimeoutMillis: START_TIMEOUT_MS })

/** Migrates the database and returns the migrations that it ran. Nodes that start together run one after another. */
export const migrate = (connection: Connection, options: MigrateOptions = {}): Promise<string[]> =>
  withClient(connection, clientFor('rodado migrate'), async (client) => {
    const ran: string[] = []
    for (const name of await readPending(client, options)) {
      if (!(await apply(client, name, options))) continue // another node was first
      options.log?.info({ migration: name }, 'migrate: applied')
      ran.push(name)
    }
    await storeServedFrom(client, options)
    return ran
  })

/** Refuses a database that this version cannot serve; writes nothing, and returns that it ran no migration. */
export const checkSchema = (connection: Connection, options: MigrateOptions = {}): Promise<string[]> =>
  withClient(connection, clientFor('rodado check'), async (client) => {
    const pending = await readPending(client, options)
    if (pending.length === 0) return []
    const count = pending.length === 1 ? 'a migration' : `${pending.length} migrations`
    throw new Error(
      `The database lacks ${count} of this version (${shortList(pending)}). Run \`rodado migrate\`, or start the server with AUTO_MIGRATE=si.`,
    )
  })

const shortList = (names: string[]): string => (names.length > 3 ? `${names[0]} … ${names.at(-1)}` : names.join(', '))

/** The migrations of this version that the database lacks. Throws if this version is too old for the database. */
const readPending = (client: pg.Client, options: MigrateOptions): Promise<string[]> =>
  withSchemaLock(client, { key: RESTORE_LOCK, mode: 'shared' }, options, async () => {
    await refuseOldServer(client)
    const names = await migrationNames(options.dir)
    const applied = await appliedNames(client)
    await refuseNewerDatabase(client, applied, names)
    return names.filter((name) => !applied.includes(name))
  })

/**
 * SQL that lifts the timeouts of role or database for a transaction: they are for requests, and this may read a large table.
 * Reads which there are, because PostgreSQL has `transaction_timeout` since 17; a backup does so before its snapshot.
 */
export async function noTimeoutsSql(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(`
    select name from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`)
  return rows.map(({ name }) => `set local ${name} = 0`).join('; ')
}

/** Runs a migration in a transaction, and retries if it cannot get its locks. False if it had run already. */
async function apply(client: pg.Client, name: string, options: MigrateOptions): Promise<boolean> {
  const text = await readFile(join(options.dir ?? MIGRATIONS_DIR, `${name}.sql`), 'utf8')
  const deadline = performance.now() + RETRY_FOR_MS
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(2 * retryMs, MAX_RETRY_MS))
    try {
      return await withSchemaLock(client, { key: SCHEMA_LOCK }, options, async () => {
        if ((await appliedNames(client)).includes(name)) return false
        await client.query(
          `${await noTimeoutsSql(client)}; set local lock_timeout = ${await lockTimeoutMs(client)}; set local search_path = public`,
        )
        await client.query(CREATE_MIGRATIONS)
        await client.query(text)
        await client.query(`insert into public.${MIGRATIONS_TABLE} (name, run_on) values ($1, now())`, [name])
        await client.query(STORE_SERVED_FROM)
        return true
      })
    } catch (error) {
      if (error instanceof LockHeld) throw error
      const { code, message } = error as NodeJS.ErrnoException
      if ((code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) || performance.now() > deadline)
        throw new Error(`the migration ${name} failed and left nothing of itself: ${message}`, { cause: error })
      options.log?.warn({ err: error }, 'migrate: could not get a lock; retrying')
      await pause(retryMs)
    }
}

const STORE_SERVED_FROM = `insert into public.settings (name, value) values ('${SERVED_FROM_SETTING}', '${SERVED_FROM}')
  on conflict (name) do update set value = excluded.value`

/** A database that was migrated by a version that did not store it yet, or by one that stored another. */
async function storeServedFrom(client: pg.Client, options: MigrateOptions): Promise<void> {
  const names = await migrationNames(options.dir)
  const isNewer = (await appliedNames(client)).some((name) => !names.includes(name))
  if (!isNewer && (await servedFrom(client)) !== SERVED_FROM) await client.query(STORE_SERVED_FROM)
}

async function servedFrom(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>(
    `select value from public.settings where name = '${SERVED_FROM_SETTING}'`,
  )
  return rows[0]?.value
}

/**
 * Work in a transaction that holds an advisory lock. The lock is the transaction's, because a pooler in transaction mode
 * keeps a session's lock after its client has left.
 */
async function withSchemaLock<T>(
  client: pg.Client,
  { key, mode }: { key: number; mode?: 'shared' },
  { log, holderWaitMs = HOLDER_WAIT_MS }: MigrateOptions,
  work: () => Promise<T>,
): Promise<T> {
  const take = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  const deadline = performance.now() + holderWaitMs
  const isFree = () =>
    client.query(`select ${take}(${key})`).then(
      () => true,
      (error) => {
        if (error.code === LOCK_NOT_AVAILABLE) return false
        throw error
      },
    )
  for (let isFirst = true; ; isFirst = false) {
    const waitMs = Math.max(1, Math.ceil(Math.min(HOLDER_CHECK_MS, deadline - performance.now())))
    try {
      await client.query(`begin; set local lock_timeout = ${waitMs}`)
      if (await isFree()) {
        await client.query('set local lock_timeout to default')
        const result = await work()
        await client.query('commit')
        return result
      }
      await client.query('rollback')
    } catch (error) {
      await client.query('rollback').catch(() => undefined) // says less than the error
      throw error
    }
    const holder = await describeHolder(client, key)
    if (performance.now() >= deadline) throw new LockHeld(holder)
    if (isFirst) log?.warn({}, `migrate: waiting for ${holder}`)
  }
}

/** Another process has migrated or restored for longer than we wait. */
class LockHeld extends Error {
  constructor(holder: string) {
    super(
      `The database is being changed by another process: ${holder}. Try again when it is done; if it hangs, end it with \`select pg_terminate_backend(…)\`.`,
    )
  }
}

async function describeHolder(client: pg.Client, key: number): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string | null; since: string | null }>(
    `select pid, coalesce(nullif(application_name, ''), 'without a name') as name, host(client_addr) as address,
       to_char(coalesce(xact_start, state_change) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
     from pg_locks l join pg_stat_activity using (pid) join pg_database d on d.oid = l.database
     where locktype = 'advisory' and granted and d.datname = current_database() and objsubid = 1
       and (classid::bigint << 32) | objid::bigint = $1
     order by pid limit 1`,
    [key],
  )
  const [holder] = rows
  if (!holder) return 'one that has just ended'
  const { pid, name, address, since } = holder
  return `${name}, pid ${pid} of PostgreSQL, from ${address ?? 'this machine'}${since ? `, since ${since}` : ''}`
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

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= MIN_SERVER_VERSION) return
  throw new Error(
    `PostgreSQL ${version} is too old: Rodado needs ${MIN_SERVER_VERSION} or newer. Upgrade the server that DATABASE_URL names.`,
  )
}

/** A newer version has migrated the database; it stored which older ones can still serve it. */
async function refuseNewerDatabase(client: pg.Client, applied: string[], known: string[]): Promise<void> {
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const from = await servedFrom(client)
  if (from !== undefined && (known.at(-1) ?? '') >= from) return
  throw new Error(
    `The database was migrated by a newer version of Rodado (${unknown.join(', ')} is not known here), which only versions from ${from ?? unknown[0]} on can serve. Start one of them.`,
  )
}

/** The migrations that were run on the database, in order. */
async function appliedNames(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query(`select where to_regclass('public.${MIGRATIONS_TABLE}') is not null`)
  if (tables.length === 0) return []
  const { rows } = await client.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE} order by id`)
  return rows.map(({ name }) => name)
}
