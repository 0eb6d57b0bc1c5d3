import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { isUnavailable, type Log } from '../db.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { clusterDir, explain } from './cluster.ts'
import { connect, currentServer, type Purpose, prepareDatabase, takeServe, takeUse, takeUseAlone } from './lease.ts'
import { type Postmaster, runsAsWeWould, startPostmaster } from './postmaster.ts'
import { clearStaleLocks, livePostmaster, stopPostmaster } from './process.ts'

const POLL_MS = 15
/** A server that was just killed is still listed for a moment. */
const OWNER_GRACE_MS = 2_000
/** A postmaster that lives and does not answer for so long is stuck, or has lost its socket; a busy machine is quicker. */
const SILENCE_MS = 20_000
/** Processes of a postmaster that was killed may need a while to notice, and PostgreSQL waits for the last of them. */
const LEFTOVERS_MS = 15_000
const LEFTOVERS = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/

/** Everything about one embedded store that does not change while we use it. */
export interface Place {
  dataDir: string
  /** The folder of the socket. */
  host: string
  account: Account
  /** Found when first needed: a command beside a running server does not start anything. */
  binaries(): Promise<Binaries>
  purpose: Purpose
  settings: Readonly<Record<string, string>>
  log: Log
  signal: AbortSignal
}

/** Our registration at a running PostgreSQL; it lasts as long as its connection. */
export interface Attached {
  client: pg.Client
  /** Not known where PostgreSQL runs in another container that shares our folder. */
  pid: number | undefined
  started: boolean
}

/** Finds the PostgreSQL of this DATA_DIR running, or starts it, and registers there; others may do the same at once. */
export async function attach(place: Place): Promise<Attached> {
  const { dataDir, host, purpose, account, signal } = place
  const dir = clusterDir(dataDir)
  const began = performance.now()
  let quietSince = began
  let started: Postmaster | undefined
  for (;;) {
    signal.throwIfAborted()
    const answer = await connect(host, purpose)
    if (answer === 'absent' || answer === 'silent') {
      const pid = await livePostmaster(dir, account)
      if (pid === undefined) {
        started = await startUnlessStarting(place, started, began)
        quietSince = performance.now()
      } else if (performance.now() - quietSince > SILENCE_MS) {
        await restartSilent(place, pid)
      }
    } else {
      quietSince = performance.now()
      const pid = await livePostmaster(dir, account)
      const isOurs = pid !== undefined && pid === started?.child.pid
      const client = answer === 'busy' ? undefined : await enter(answer, place, isOurs)
      if (client) return { client, pid, started: isOurs }
    }
    await pause(POLL_MS)
  }
}

/** Only a server may end a PostgreSQL that does not answer: a command cannot know who else depends on it. */
async function restartSilent({ purpose, dataDir, account, log }: Place, pid: number): Promise<void> {
  if (purpose === 'command') {
    throw new Error(
      `PostgreSQL (process ${pid}) of DATA_DIR ${dataDir} runs and does not answer. Restart the server, which repairs it.`,
    )
  }
  log.warn({ pid }, 'embedded store: PostgreSQL runs but does not answer; restarting it')
  await stopPostmaster(pid, clusterDir(dataDir), account, log)
}

/** Starts PostgreSQL unless we already did; one that ended again tells why, and is given time if others are in its way. */
async function startUnlessStarting(place: Place, previous: Postmaster | undefined, began: number) {
  const { dataDir, account, settings, log } = place
  if (previous === undefined) {
    await clearStaleLocks(clusterDir(dataDir), account)
    return startPostmaster({ dataDir, account, settings, binaries: await place.binaries() })
  }
  if (previous.child.pid !== undefined && previous.child.exitCode === null && previous.child.signalCode === null) {
    return previous
  }
  const complaint = await previous.complaint()
  if (!LEFTOVERS.test(complaint) || performance.now() - began > LEFTOVERS_MS) {
    throw new Error(explain(`PostgreSQL did not start in ${clusterDir(dataDir)}`, complaint || 'it gave no reason'))
  }
  log.info({}, 'embedded store: waiting for an earlier PostgreSQL to end')
  return undefined
}

/** Registers on that connection, or closes it and gives nothing when it is worth knocking again. */
async function enter(client: pg.Client, place: Place, isOurs: boolean): Promise<pg.Client | undefined> {
  let entered = false
  try {
    entered = await register(client, place, isOurs)
    return entered ? client : undefined
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  } finally {
    if (!entered) await client.end().catch(() => undefined)
  }
}

async function register(client: pg.Client, place: Place, isOurs: boolean): Promise<boolean> {
  const { purpose, dataDir } = place
  if (purpose === 'serve' && !(await takeServeSoon(client))) {
    const owner = (await currentServer(client))?.match(/pid (\d+)/)?.[1] ?? 'unknown'
    throw new Error(
      `Another Rodado server (process ${owner}) already uses DATA_DIR ${dataDir}. Stop it first, or give this one another DATA_DIR.`,
    )
  }
  if (!(await takeUse(client))) return false
  if (purpose === 'serve' && !isOurs && (await restarts(client, place))) return false
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

/** A server takes over the PostgreSQL that a killed one left, unless it is of another version or setting than ours. */
async function restarts(client: pg.Client, place: Place): Promise<boolean> {
  const { dataDir, account, settings, log } = place
  const dir = clusterDir(dataDir)
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const options = { dataDir, account, settings, binaries: await place.binaries() }
  if (await runsAsWeWould(options, rows[0]?.server_version ?? '')) {
    log.info({}, 'embedded store: took over the running PostgreSQL')
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
