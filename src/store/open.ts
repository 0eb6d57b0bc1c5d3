import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import sql from 'sql-template-tag'
import type { Config } from '../config.ts'
import { isAnswer, isUnavailable, type Log } from './circuit-breaker.ts'
import { openStore, type StatementObserver, type Store } from './db.ts'
import type { Purpose } from './embedded/attach.ts'
import { clusterDir } from './embedded/cluster.ts'
import { startEmbedded } from './embedded/start.ts'
import { type Connection, READ_ONLY } from './failover.ts'
import { checkSchema, migrate } from './migrate.ts'
import { checkPooler } from './pooler.ts'
import { masterKeysOf, openSeal, storeMasterKey } from './sealed.ts'

const COMMAND_CONNECTIONS = 2

/** The store of this installation, and the seal of its secrets. */
export type Opened = Awaited<ReturnType<typeof openInstallation>>

/** Where the database is: for the pool, and past a pooler for what needs a connection of its own. */
interface Reached {
  connection: Connection
  direct: Connection
  close(): Promise<void>
}

/** Reaches the configured database, or starts the embedded one under DATA_DIR; changes nothing in it. */
export async function reachDatabase(config: Config, purpose: Purpose, log: Log): Promise<Reached> {
  const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = config
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl }
    const direct = { connectionString: databaseDirectUrl }
    return { connection, direct, close: async () => undefined }
  }
  const { connection, stop } = await startEmbedded({ dataDir, log, purpose }).catch(explainDataDir(dataDir))
  return { connection, direct: connection, close: stop }
}

/**
 * Opens the store. Only `migrate` and a server with AUTO_MIGRATE change its schema; other commands store nothing. Closing it
 * stops the embedded PostgreSQL if nobody else uses it.
 */
export async function openInstallation(
  config: Config,
  use: Purpose | 'migrate',
  log: Log,
  observe?: StatementObserver,
) {
  if (use === 'command') refuseEmptyDataDir(config)
  const serves = use === 'serve'
  const reached = await reachDatabase(config, serves ? 'serve' : 'command', log)
  const { connection, direct } = reached
  let store: Store | undefined
  const close = async () => {
    await store?.close()
    await reached.close()
  }
  try {
    const migrates = use === 'migrate' || (serves && config.autoMigrate)
    const prepareSchema = migrates ? migrate : checkSchema
    const applied = await prepareSchema(direct, { log }).catch(explainDatabase(config, direct))
    const isPooled = await checkPooler(config, log).catch(explainDatabase(config, connection))
    store = openStore({
      connection,
      isPooled,
      log,
      observe,
      withBreaker: serves,
      max: serves ? config.pgPool : COMMAND_CONNECTIONS,
      ...timeoutsOf(config),
    })
    const [session] = (await store.query(SESSION)) as [Session]
    checkSession(session)
    const masterKeys = masterKeysOf(config)
    if (use !== 'command') await storeMasterKey(store, masterKeys.current).catch(explainDatabase(config, connection))
    const seal = await openSeal(store, masterKeys)
    return { store, seal, connection, directConnection: direct, applied, close }
  } catch (error) {
    await close()
    throw error
  }
}

export const timeoutsOf = ({ pgStatementTimeout, pgLockTimeout }: Config) => ({
  statementTimeoutMs: pgStatementTimeout * 1_000,
  lockTimeoutMs: pgLockTimeout * 1_000,
})

/** What the role and the database set for our connections. */
export interface Session {
  role: string
  isReadOnly: boolean
  isolation: string
  findsTables: boolean
}

export const SESSION = sql`
  select current_user::text as role, current_setting('transaction_read_only')::bool as "isReadOnly",
    current_setting('transaction_isolation') as isolation,
    to_regclass('settings') is not distinct from to_regclass('public.settings') as "findsTables"`

/**
 * Our statements name no schema and rely on read committed. A pooler refuses settings from us, so the role or the database
 * must have the right ones.
 */
export function checkSession({ role, isolation, findsTables }: Session): void {
  if (!findsTables)
    throw new Error(
      `Rodado's tables are in the schema public, which is not first in the search_path of the role ${role}: alter role ${role} set search_path = public.`,
    )
  if (isolation !== 'read committed')
    throw new Error(
      `Transactions of the role ${role} are ${isolation}, where simultaneous changes fail: alter role ${role} set default_transaction_isolation = 'read committed'.`,
    )
}

/** Otherwise a command would create the embedded database only to find that it is empty. */
export function refuseEmptyDataDir({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || existsSync(clusterDir(resolve(dataDir)))) return
  throw new Error(
    `There is no database in DATA_DIR ${dataDir} yet. Start the server (\`npm start\`) or run \`rodado migrate\` first.`,
  )
}

const explainDataDir =
  (dataDir: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM' && error.code !== 'EROFS') throw error
    throw new Error(
      `DATA_DIR ${dataDir} belongs to another user or cannot be written (${error.code}). Choose another DATA_DIR.`,
    )
  }

/** Explains that a database cannot be reached, unless it or a pooler says why. The URL contains a password and is not repeated. */
export const explainDatabase =
  ({ databaseUrl, databaseDirectUrl, dataDir }: Config, { connectionString }: Connection) =>
  (error: NodeJS.ErrnoException): never => {
    const causes = [error, error.cause as NodeJS.ErrnoException | undefined]
    const setting = connectionString === databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
    if (databaseUrl && causes.some((each) => each?.code === READ_ONLY))
      throw new Error(
        `The PostgreSQL of ${setting} takes no writes (${error.message}). Is it a replica, or read-only? Use the address of the primary.`,
      )
    const isExplained = causes.some((each) => each instanceof pg.DatabaseError || isAnswer(each))
    if (!isUnavailable(error) || isExplained) throw error
    if (!databaseUrl)
      throw new Error(
        `The embedded PostgreSQL stopped (${error.code ?? error.message}). ${resolve(dataDir, 'pg.log')} says why; is the disk full?`,
      )
    throw new Error(
      `The PostgreSQL of ${setting} does not answer (${error.code ?? error.message}). Is it running, and is the address right?`,
    )
  }
