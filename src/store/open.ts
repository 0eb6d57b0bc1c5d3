import type { Config } from '../config.ts'
import { isUnavailable, type Log } from './circuit-breaker.ts'
import { openStore, type StatementObserver } from './db.ts'
import type { Purpose } from './embedded/attach.ts'
import { startEmbedded } from './embedded/start.ts'
import type { Connection } from './failover.ts'
import { migrate } from './migrate.ts'
import { checkMasterKey, createSeal, ensureMasterKey } from './sealed.ts'

const SERVER_CONNECTIONS = 20
const COMMAND_CONNECTIONS = 2

/** The migrated store of this installation, and the seal of its secrets. */
export type Opened = Awaited<ReturnType<typeof openInstallation>>

/** Reaches the configured database, or starts the embedded one under DATA_DIR; changes nothing in it. */
export async function reachDatabase({ databaseUrl, dataDir }: Config, purpose: Purpose, log: Log) {
  if (databaseUrl) {
    const connection: Connection = { connectionString: databaseUrl }
    return { connection, close: async () => undefined }
  }
  const { connection, stop } = await startEmbedded({ dataDir, log, purpose }).catch(explainDataDir(dataDir))
  return { connection, close: stop }
}

/** Opens and migrates the store. Closing it stops the embedded PostgreSQL if nobody else uses it. */
export async function openInstallation(config: Config, purpose: Purpose, log: Log, observe?: StatementObserver) {
  const reached = await reachDatabase(config, purpose, log)
  const { connection } = reached
  const max = purpose === 'serve' ? SERVER_CONNECTIONS : COMMAND_CONNECTIONS
  const store = openStore({ connection, max, log, observe })
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
