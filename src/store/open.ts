import type { Config } from '../config.ts'
import { isUnavailable, type Log } from './circuit-breaker.ts'
import { openStore, type Store } from './db.ts'
import { startEmbedded } from './embedded/start.ts'
import type { Connection } from './failover.ts'
import { migrate } from './migrate.ts'
import { checkMasterKey, createSeal, ensureMasterKey, type Seal } from './sealed.ts'

const SERVER_CONNECTIONS = 20
const COMMAND_CONNECTIONS = 2

/** The migrated store of this installation, and the seal of its secrets. */
export interface Opened {
  store: Store
  seal: Seal
  connection: Connection
  /** The migrations that were run by this start. */
  applied: string[]
  /** Also stops the embedded PostgreSQL if this process is the last to use it. */
  close(): Promise<void>
}

/** A reachable database, whatever its contents. */
export interface Reached {
  connection: Connection
  close(): Promise<void>
}

/** Reaches the configured database, or starts the embedded one under DATA_DIR; changes nothing in it. */
export async function reachDatabase(config: Config, purpose: 'serve' | 'command', log: Log): Promise<Reached> {
  if (config.databaseUrl)
    return { connection: { connectionString: config.databaseUrl }, close: () => Promise.resolve() }
  const { connection, stop } = await startEmbedded({ dataDir: config.dataDir, log, purpose }).catch(
    explainDataDir(config.dataDir),
  )
  return { connection, close: stop }
}

/** Opens the configured store and migrates it. */
export async function openInstallation(config: Config, purpose: 'serve' | 'command', log: Log): Promise<Opened> {
  const reached = await reachDatabase(config, purpose, log)
  const { connection } = reached
  const store = openStore({ connection, max: purpose === 'serve' ? SERVER_CONNECTIONS : COMMAND_CONNECTIONS, log })
  const close = async () => {
    await store.close()
    await reached.close()
  }
  try {
    const applied = await migrate(connection, { log }).catch(explainDatabase(config.databaseUrl))
    const seal = createSeal(config.masterKey ?? ensureMasterKey(config.dataDir))
    await checkMasterKey(store, seal)
    return { store, seal, connection, applied, close }
  } catch (error) {
    await close()
    throw error
  }
}

const explainDataDir =
  (dataDir: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EACCES' && error.code !== 'EPERM' && error.code !== 'EROFS') throw error
    throw new Error(
      `DATA_DIR ${dataDir} belongs to another user or cannot be written (${error.code}). Choose another DATA_DIR.`,
    )
  }

/** Explains that DATABASE_URL cannot be reached. The URL contains a password and is not repeated. */
export const explainDatabase =
  (databaseUrl: string | undefined) =>
  (error: NodeJS.ErrnoException): never => {
    if (!databaseUrl || !isUnavailable(error)) throw error
    throw new Error(
      `The PostgreSQL of DATABASE_URL does not answer (${error.code ?? error.message}). Is it running, and is the address right?`,
    )
  }
