import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isUnavailable, type Log } from '../circuit-breaker.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterDir, explain } from './cluster.ts'
import { connect, currentServer, type Purpose, prepareDatabase, takeServe, takeUse, takeUseAlone } from './lease.ts'
import { hasOurSettings, type Postmaster, startPostmaster } from './postmaster.ts'
import { clearStaleLocks, livePostmaster, stopPostmaster } from './process.ts'

const POLL_MS = 15
/** A killed server is still listed for a moment. */
const OWNER_GRACE_MS = 2_000
/** A postmaster that does not answer for so long is stuck, or has lost its socket. */
const SILENCE_MS = 20_000
/** PostgreSQL waits for the last process of a killed postmaster, which may take a while to notice. */
const LEFTOVERS_MS = 15_000
const LEFTOVERS = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/

/** What does not change while we use an embedded store. */
export interface EmbeddedContext {
  dataDir: string
  /** The socket's folder. */
  host: string
  account: Account
  /** Located when first needed: a command beside a running server starts nothing. */
  binaries(): Promise<Binaries>
  purpose: Purpose
  settings: Readonly<Record<string, string>>
  log: Log
  signal: AbortSignal
}

/** Our registration at a running PostgreSQL, for as long as the connection is open. */
export interface Attached {
  client: pg.Client
  /** Unknown if PostgreSQL runs in another container that shares our folder. */
  pid: number | undefined
  started: boolean
}

/** Connects to the PostgreSQL of this DATA_DIR, or starts it, and registers as its user. Several processes may do so at once. */
export async function attach(context: EmbeddedContext): Promise<Attached> {
  const { dataDir, host, purpose, account, signal } = context
  const dir = clusterDir(dataDir)
  const began = performance.now()
  let silentSince = began
  let started: Postmaster | undefined
  for (;;) {
    signal.throwIfAborted()
    const answer = await connect(host, purpose)
    if (answer === 'absent' || answer === 'silent') {
      const pid = await livePostmaster(dir, account)
      if (pid === undefined) {
        started = await startUnlessStarting(context, started, began)
        silentSince = performance.now()
      } else if (performance.now() - silentSince > SILENCE_MS) {
        await restartSilent(context, pid)
      }
    } else {
      silentSince = performance.now()
      const pid = await livePostmaster(dir, account)
      const isOurs = pid !== undefined && pid === started?.child.pid
      const client = answer === 'busy' ? undefined : await tryRegister(answer, context, isOurs)
      if (client) return { client, pid, started: isOurs }
    }
    await pause(POLL_MS)
  }
}

/** Only a server may stop a PostgreSQL that does not answer: others may depend on it. */
async function restartSilent({ purpose, dataDir, account, log }: EmbeddedContext, pid: number): Promise<void> {
  if (purpose === 'command') {
    throw new Error(
      `PostgreSQL (process ${pid}) of DATA_DIR ${dataDir} runs and does not answer. Restart the server, which repairs it.`,
    )
  }
  log.warn({ pid }, 'embedded store: PostgreSQL runs but does not answer; restarting it')
  await stopPostmaster(pid, clusterDir(dataDir), account, log)
}

/** Starts PostgreSQL unless we already did. If it ended, retries while an earlier postmaster is still ending. */
async function startUnlessStarting(context: EmbeddedContext, previous: Postmaster | undefined, began: number) {
  const { dataDir, account, settings, log } = context
  if (previous === undefined) {
    await clearStaleLocks(clusterDir(dataDir), account)
    return startPostmaster({ dataDir, account, settings, binaries: await context.binaries() })
  }
  if (previous.child.pid !== undefined && previous.child.exitCode === null && previous.child.signalCode === null) {
    return previous
  }
  const message = await previous.errors()
  if (!LEFTOVERS.test(message) || performance.now() - began > LEFTOVERS_MS) {
    throw new Error(explain(`PostgreSQL did not start in ${clusterDir(dataDir)}`, message || 'it gave no reason'))
  }
  log.info({}, 'embedded store: waiting for an earlier PostgreSQL to end')
  return undefined
}

/** Registers on the connection; closes it and returns undefined if it is worth connecting again. */
async function tryRegister(
  client: pg.Client,
  context: EmbeddedContext,
  isOurs: boolean,
): Promise<pg.Client | undefined> {
  let registered = false
  try {
    registered = await register(client, context, isOurs)
    return registered ? client : undefined
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  } finally {
    if (!registered) await client.end().catch(() => undefined)
  }
}

async function register(client: pg.Client, context: EmbeddedContext, isOurs: boolean): Promise<boolean> {
  const { purpose, dataDir } = context
  if (purpose === 'serve' && !(await takeServeSoon(client))) {
    const owner = (await currentServer(client))?.match(/pid (\d+)/)?.[1] ?? 'unknown'
    throw new Error(
      `Another Rodado server (process ${owner}) already uses DATA_DIR ${dataDir}. Stop it first, or give this one another DATA_DIR.`,
    )
  }
  if (!(await takeUse(client))) return false
  if (purpose === 'serve' && !isOurs && (await restarts(client, context))) return false
  await prepareDatabase(client)
  return true
}

async function takeServeSoon(client: pg.Client): Promise<boolean> {
  const deadline = performance.now() + OWNER_GRACE_MS
  while (performance.now() < deadline) {
    if (await takeServe(client)) return true
    await pause(POLL_MS)
  }
  return false
}

/** A server adopts the PostgreSQL that a killed one left, unless its version or settings differ from ours. */
async function restarts(client: pg.Client, context: EmbeddedContext): Promise<boolean> {
  const { dataDir, account, settings, log } = context
  const dir = clusterDir(dataDir)
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const options = { dataDir, account, settings, binaries: await context.binaries() }
  if (await hasOurSettings(options, rows[0]?.server_version ?? '')) {
    log.info({}, 'embedded store: adopted the running PostgreSQL')
    return false
  }
  const pid = await livePostmaster(dir, account)
  if (pid === undefined || !(await takeUseAlone(client))) {
    log.warn({}, 'embedded store: PostgreSQL runs with other settings; not restarted, because other processes use it')
    return false
  }
  log.info({ pid }, 'embedded store: PostgreSQL runs with other settings; restarting it')
  await stopPostmaster(pid, dir, account, log)
  return true
}
