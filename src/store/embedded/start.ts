import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, Log } from '../db.ts'
import { accountFor, sharedAccountWarning } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { clusterDir, makeDataDir } from './cluster.ts'
import { type Joined, join, type Place } from './join.ts'
import { type Purpose, takeUseAlone } from './lease.ts'
import { livePostmaster, stopPostmaster } from './process.ts'
import { PORT } from './settings.ts'
import { socketFolder } from './socket.ts'
import { supervise } from './supervise.ts'

const POLL_MS = 20
/** A stopping server lets a command that is under way finish. */
const GUEST_PATIENCE_MS = 1_000

export interface Embedded {
  connection: Connection
  /** The postmaster; another one after PostgreSQL had to be restarted. */
  readonly pid: number | undefined
  /** Whether this process is the server, or a command that had to start PostgreSQL itself. */
  owner: boolean
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** A server is alone on its DATA_DIR and keeps PostgreSQL alive; commands come and go beside it, or without it. */
  purpose: Purpose
  /** Laid over the settings of the house; tests trade durability for speed. */
  settings?: Readonly<Record<string, string>>
}

/** Gives the PostgreSQL below DATA_DIR: running already, or started now. The last to use it stops it. */
export async function startEmbedded({ dataDir, log, purpose, settings = {} }: EmbeddedOptions): Promise<Embedded> {
  const root = resolve(dataDir)
  const dir = clusterDir(root)
  await makeDataDir(root)
  const account = await accountFor(dir)
  const warning = sharedAccountWarning(dir, account)
  if (warning && purpose === 'serve') log.warn({}, `embedded store: ${warning}`)
  const socket = await socketFolder(dir)
  const ending = new AbortController()
  let found: Promise<Binaries> | undefined
  const binaries = () => (found ??= findBinaries(account))
  const place: Place = {
    dataDir: root,
    host: socket.host,
    account,
    binaries,
    purpose,
    settings,
    log,
    signal: ending.signal,
  }
  const first = await join(place).catch(async (error) => {
    await socket.remove()
    throw error
  })
  const kept = purpose === 'serve' ? supervise(place, first) : { current: () => first, settled: async () => undefined }

  async function stop() {
    ending.abort()
    await kept.settled()
    try {
      await leave(place, kept.current())
    } finally {
      await socket.remove()
    }
  }

  let stopped: Promise<void> | undefined
  return {
    connection: { host: socket.host, port: PORT, user: 'rodado', database: 'rodado', ssl: false },
    get pid() {
      return kept.current().pid
    },
    owner: purpose === 'serve' || first.started,
    stop: () => (stopped ??= stop()),
  }
}

/** Leaves the store, and stops PostgreSQL if nobody else uses it; a server, with which it ends, stops it in any case. */
async function leave({ dataDir, account, purpose, log }: Place, { client }: Joined): Promise<void> {
  const dir = clusterDir(dataDir)
  const deadline = performance.now() + (purpose === 'serve' ? GUEST_PATIENCE_MS : 0)
  try {
    let alone = await takeUseAlone(client).catch(() => false)
    while (!alone && performance.now() < deadline) {
      await pause(POLL_MS)
      alone = await takeUseAlone(client).catch(() => false)
    }
    if (!alone && purpose === 'command') return
    const pid = await livePostmaster(dir, account)
    if (pid !== undefined) await stopPostmaster(pid, dir, account, log)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Whether other daemons can read the embedded store below DATA_DIR, and what to do about it. */
export async function sharedDataWarning(dataDir: string): Promise<string | undefined> {
  const dir = clusterDir(resolve(dataDir))
  return sharedAccountWarning(dir, await accountFor(dir))
}
