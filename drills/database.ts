import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, Store } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded/start.ts'
import { type Defer, makeTempDir } from './cleanup.ts'

const POLL_MS = 20
const RECOVERY_MS = 60_000
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Where the house keeps what it knows, under the drill's hand. */
export interface Database {
  /** How the drill itself asks. */
  connection: Connection
  /** What the house is given as DATABASE_URL. */
  url: string
}

/** One that can be killed. */
export interface Killable extends Database {
  /** Without a word of warning (SIGKILL). Whoever has the embedded store starts it again: here that is the drill. */
  kill(store: Pick<Store, 'ping'>): Promise<void>
}

/** The embedded PostgreSQL, until the end, in a folder of its own that is gone with it, or in that one. */
export async function openDatabase(defer: Defer, where?: string): Promise<Killable> {
  const dataDir = where ?? makeTempDir(defer, 'drill')
  const starting = startEmbedded({ dataDir, log: quiet, purpose: 'serve' })
  // Half a start cannot be undone: it is waited for, which takes a second or two.
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
