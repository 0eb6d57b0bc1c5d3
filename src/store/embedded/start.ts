import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../circuit-breaker.ts'
import type { Connection } from '../failover.ts'
import { accountFor, sharedAccountWarning } from './account.ts'
import { type Attached, attach, type EmbeddedContext } from './attach.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { clusterDir, makeDataDir } from './cluster.ts'
import { type Purpose, takeUseAlone } from './lease.ts'
import { livePostmaster, stopPostmaster } from './process.ts'
import { PORT } from './settings.ts'

const POLL_MS = 20
/** A stopping server lets a running command finish. */
const COMMAND_GRACE_MS = 1_000

export interface Embedded {
  connection: Connection
  /** Of the postmaster; changes when PostgreSQL is restarted. */
  readonly pid: number | undefined
  /** True for the server, and for a command that had to start PostgreSQL. */
  owner: boolean
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** There is one server for a DATA_DIR, which keeps PostgreSQL running; commands run beside it, or without it. */
  purpose: Purpose
  /** Overrides our settings; tests give up durability for speed. */
  settings?: Readonly<Record<string, string>>
}

/** Attaches to the PostgreSQL below DATA_DIR, or starts it. The last process to use it stops it. */
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
  const context: EmbeddedContext = {
    dataDir: root,
    host: socket.host,
    account,
    binaries,
    purpose,
    settings,
    log,
    signal: ending.signal,
  }
  const first = await attach(context).catch(async (error) => {
    await socket.remove()
    throw error
  })
  const kept =
    purpose === 'serve' ? supervise(context, first) : { current: () => first, settled: async () => undefined }

  async function stop() {
    ending.abort()
    await kept.settled()
    try {
      await detach(context, kept.current())
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

/** Detaches, and stops PostgreSQL if nobody else uses it. A server stops it in any case. */
async function detach({ dataDir, account, purpose, log }: EmbeddedContext, { client }: Attached): Promise<void> {
  const dir = clusterDir(dataDir)
  const deadline = performance.now() + (purpose === 'serve' ? COMMAND_GRACE_MS : 0)
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

/** A warning if other daemons can read the embedded store. */
export async function sharedDataWarning(dataDir: string): Promise<string | undefined> {
  const dir = clusterDir(resolve(dataDir))
  return sharedAccountWarning(dir, await accountFor(dir))
}

/** A socket address has 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100

/** The folder of the socket in `dir`, or a short link to it if its path is too long. */
async function socketFolder(dir: string): Promise<{ host: string; remove(): Promise<void> }> {
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

/** Restarts PostgreSQL when it dies under a running server; the pools reconnect by themselves. */
function supervise(context: EmbeddedContext, first: Attached) {
  const { log, signal } = context
  let attached = first
  let restarting: Promise<void> = Promise.resolve()

  function watch() {
    attached.client.once('end', () => {
      if (!signal.aborted) restarting = restart()
    })
  }

  async function restart() {
    log.error({ pid: attached.pid }, 'embedded store: PostgreSQL was lost; restarting it')
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        attached = await attach(context)
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
    /** Resolves when no restart is running; the context's signal ends it. */
    settled: () => restarting,
  }
}
