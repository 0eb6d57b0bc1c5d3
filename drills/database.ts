import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded/start.ts'
import type { Connection } from '../src/store/failover.ts'
import { type Defer, makeTempDir } from './cleanup.ts'

const POLL_MS = 20
const RECOVERY_MS = 60_000
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The database of a cluster. */
export interface Database {
  /** For the drill's own queries. */
  connection: Connection
  /** DATABASE_URL of the instances. */
  url: string
}

interface KillableDatabase extends Database {
  /** Sends SIGKILL. The drill started PostgreSQL, so it also restarts it. */
  kill(store: Pick<Store, 'ping'>): Promise<void>
}

/** Starts an embedded PostgreSQL, by default in a temporary folder. */
export async function openDatabase(
  defer: Defer,
  where?: string,
  settings: Record<string, string> = {},
): Promise<KillableDatabase> {
  const dataDir = where ?? makeTempDir(defer, 'drill')
  const starting = startEmbedded({ dataDir, log: quiet, purpose: 'serve', settings })
  // A start cannot be cancelled, so the cleanup waits for it.
  defer(async () => (await starting.catch(() => undefined))?.stop())
  const embedded = await starting
  const { user, database, host, port } = embedded.connection
  return {
    connection: embedded.connection,
    url: `postgres://${user}@/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`,
    async kill(store) {
      const before = embedded.pid
      if (before === undefined) throw new Error('PostgreSQL is not running.')
      process.kill(before, 'SIGKILL')
      const deadline = performance.now() + RECOVERY_MS
      const answers = () =>
        store.ping().then(
          () => true,
          () => false,
        )
      while (embedded.pid === before || !(await answers())) {
        if (performance.now() > deadline) throw new Error('PostgreSQL did not come back.')
        await pause(POLL_MS)
      }
    },
  }
}
