import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lazy } from '../../memoize.ts'
import type { Log } from '../circuit-breaker.ts'
import type { Connection } from '../failover.ts'
import { sharedAccountWarning, systemUserFor } from './account.ts'
import { attach, detach, type EmbeddedContext, type Purpose } from './attach.ts'
import { findBinaries } from './binaries.ts'
import { clusterDir } from './cluster.ts'
import { PORT } from './postmaster.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

export interface Embedded {
  connection: Connection
  /** Of the postmaster; changes when PostgreSQL is restarted. */
  readonly pid: number | undefined
  /** True for the server, and for a command that had to start PostgreSQL. */
  owner: boolean
  stop(): Promise<void>
}

interface EmbeddedOptions {
  dataDir: string
  log: Log
  /** There is one server for a DATA_DIR, which keeps PostgreSQL running; commands run beside it, or without it. */
  purpose: Purpose
  /** Overrides our settings; tests give up durability for speed. */
  settings?: Readonly<Record<string, string>>
}

/** Attaches to the PostgreSQL below DATA_DIR, or starts it. The last process to use it stops it. */
export async function startEmbedded({ log, purpose, settings = {}, ...options }: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir)
  const dir = clusterDir(dataDir)
  await makeDataDir(dataDir)
  const account = await systemUserFor(dir)
  const warning = sharedAccountWarning(dir, account)
  if (warning && purpose === 'serve') log.warn({}, `embedded store: ${warning}`)
  const { host, remove } = await socketFolder(dir)
  const ending = new AbortController()
  const { signal } = ending
  const binaries = lazy(() => findBinaries(account))
  const context: EmbeddedContext = { dataDir, dir, host, account, binaries, purpose, settings, log, signal }
  let attached = await attach(context).catch(async (error) => {
    await remove()
    throw error
  })
  const owner = purpose === 'serve' || attached.started
  let restarting: Promise<void> | undefined

  /** Restarts PostgreSQL when it dies under a running server; the pools reconnect by themselves. */
  function watch(): void {
    attached.client.once('end', () => {
      if (!signal.aborted) restarting = restart()
    })
  }

  async function restart(): Promise<void> {
    log.error({ pid: attached.pid }, 'embedded store: PostgreSQL was lost; restarting it')
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
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

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    ending.abort()
    await restarting
    await detach(context, attached).finally(remove)
  }

  if (purpose === 'serve') watch()
  return {
    connection: { host, port: PORT, user: 'rodado', database: 'rodado', ssl: false },
    get pid() {
      return attached.pid
    },
    owner,
    stop: () => (stopped ??= stop()),
  }
}

/** Creates DATA_DIR, readable only by us. */
async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new Error(
      `DATA_DIR ${dataDir} cannot be created (${cause.message}). Choose one that this user may write to.`,
      { cause },
    )
  })
}

/** A warning if other daemons can read the embedded store. */
export async function sharedDataWarning(dataDir: string): Promise<string | undefined> {
  const dir = clusterDir(resolve(dataDir))
  return sharedAccountWarning(dir, await systemUserFor(dir))
}

/** A socket address has 104 bytes on macOS and 108 on Linux. */
const MAX_SOCKET_PATH_BYTES = 100

/** The folder of the socket in `dir`, or a short link to it if its path is too long. */
async function socketFolder(dir: string): Promise<{ host: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES)
    return { host: dir, remove: async () => undefined }
  const base = Buffer.byteLength(tmpdir()) < MAX_SOCKET_PATH_BYTES / 2 ? tmpdir() : '/tmp'
  const folder = await mkdtemp(join(base, 'rodado-'))
  const host = join(folder, 'pg')
  await symlink(dir, host)
  return { host, remove: () => rm(folder, { recursive: true, force: true }) }
}
