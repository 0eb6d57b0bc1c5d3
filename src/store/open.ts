import type { Config } from '../config.ts'
import { type Connection, isUnavailable, type Log, openStore, type Store } from './db.ts'
import { startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'
import { checkMasterKey, createSeal, ensureMasterKey, type Seal } from './sealed.ts'

const SERVER_CONNECTIONS = 20
const COMMAND_CONNECTIONS = 2

/** The store of this installation, migrated, with the seal that opens its secrets. */
export interface Opened {
  store: Store
  seal: Seal
  connection: Connection
  /** The migrations that were run now. */
  applied: string[]
  /** Lets go of everything in reverse order; the embedded PostgreSQL ends with the server that owns it. */
  close(): Promise<void>
}

/** A database that can be asked, whatever it holds. */
export interface Reached {
  connection: Connection
  /** The embedded PostgreSQL ends with the last that uses it. */
  close(): Promise<void>
}

/** Reaches the database the configuration names, and leaves it as it is: the operator's, or our own under DATA_DIR. */
export async function reachDatabase(config: Config, purpose: 'serve' | 'command', log: Log): Promise<Reached> {
  if (config.databaseUrl)
    return { connection: { connectionString: config.databaseUrl }, close: () => Promise.resolve() }
  const { connection, stop } = await startEmbedded({ dataDir: config.dataDir, log, purpose }).catch(
    explainDataDir(config.dataDir),
  )
  return { connection, close: stop }
}

/** Opens the store the configuration names, brought to this version. */
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

/** Says whose fault it is; the address itself holds a password and is not repeated. */
export const explainDatabase =
  (databaseUrl: string | undefined) =>
  (error: NodeJS.ErrnoException): never => {
    if (!databaseUrl || !isUnavailable(error)) throw error
    throw new Error(
      `The PostgreSQL of DATABASE_URL does not answer (${error.code ?? error.message}). Is it running, and is the address right?`,
    )
  }
