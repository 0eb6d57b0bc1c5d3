import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, Log } from '../db.ts'
import { accountFor, sharedAccountWarning } from './account.ts'
import { type Attached, attach, type Place } from './attach.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { clusterDir, makeDataDir } from './cluster.ts'
import { type Purpose, takeUseAlone } from './lease.ts'
import { livePostmaster, stopPostmaster } from './process.ts'
import { PORT } from './settings.ts'

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
  const first = await attach(place).catch(async (error) => {
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
async function leave({ dataDir, account, purpose, log }: Place, { client }: Attached): Promise<void> {
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

/** An address of a socket has 104 bytes on macOS and 108 on Linux, its end included. */
const LONGEST_SOCKET_PATH = 100

/** The folder through which clients reach the socket in `dir`: itself, or a short link to it where its path is too long. */
export async function socketFolder(dir: string): Promise<{ host: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${PORT}`)) <= LONGEST_SOCKET_PATH) {
    return { host: dir, remove: async () => undefined }
  }
  const base = Buffer.byteLength(tmpdir()) < LONGEST_SOCKET_PATH / 2 ? tmpdir() : '/tmp'
  const folder = await mkdtemp(join(base, 'rodado-'))
  const host = join(folder, 'pg')
  await symlink(dir, host)
  return { host, remove: () => rm(folder, { recursive: true, force: true }) }
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Keeps us attached: when PostgreSQL dies under a running server it is started again, and the pools find it by themselves. */
export function supervise(place: Place, first: Attached) {
  const { log, signal } = place
  let attached = first
  let rejoining: Promise<void> = Promise.resolve()

  function watch() {
    attached.client.once('end', () => {
      if (!signal.aborted) rejoining = rejoin()
    })
  }

  async function rejoin() {
    log.error({ pid: attached.pid }, 'embedded store: PostgreSQL was lost; starting it again')
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        attached = await attach(place)
        log.info({ pid: attached.pid }, 'embedded store: PostgreSQL is back')
        return watch()
      } catch (err) {
        if (!signal.aborted) log.error({ err }, 'embedded store: PostgreSQL does not start')
        await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  watch()
  return {
    current: () => attached,
    /** Resolves when no attempt is under way; the place's signal ends them. */
    settled: () => rejoining,
  }
}
