import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isUnavailable } from '../circuit-breaker.ts'
import { explain } from './cluster.ts'
import {
  type Cluster,
  hasOurSettings,
  livePostmaster,
  PORT,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'

export type Purpose = 'serve' | 'command'

/** The first half of our advisory locks' keys: "roda" in ASCII. */
const LOCKS = 0x72_6f_64_61
/** Held by the server that owns the store. */
const SERVE = 1
/** Shared by all processes that use the store. One that can lock it exclusively is the last, and may stop PostgreSQL. */
const USE = 2
/** Held while the role and the database are created. */
const PREPARE = 3

const POLL_MS = 15
const ANSWER_TIMEOUT_MS = 3_000
/** A killed server is still listed for a moment. */
const OWNER_GRACE_MS = 2_000
/** A stopping server lets a running command finish. */
const COMMAND_GRACE_MS = 1_000
/** A postmaster that does not answer for so long is stuck, or has lost its socket. */
const SILENCE_MS = 20_000
/** PostgreSQL waits for the last process of a killed postmaster, which may take a while to notice. */
const LEFTOVERS_MS = 15_000
const LEFTOVERS = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/

/** What does not change while we use an embedded store. */
export interface EmbeddedContext extends Cluster {
  host: string
  purpose: Purpose
  signal: AbortSignal
}

/** Our registration at a running PostgreSQL, for as long as the connection is open. */
interface Attached {
  client: pg.Client
  /** Unknown if PostgreSQL runs in another container that shares our folder. */
  pid: number | undefined
  started: boolean
}

/** Connects to the PostgreSQL of this DATA_DIR, or starts it, and registers as its user. Several processes may do so at once. */
export async function attach(context: EmbeddedContext): Promise<Attached> {
  const began = performance.now()
  let silentSince = began
  let started: Postmaster | undefined
  for (;;) {
    context.signal.throwIfAborted()
    const answer = await connect(context)
    const pid = await livePostmaster(context)
    if (answer !== 'silent') {
      silentSince = performance.now()
      const isOurs = pid !== undefined && pid === started?.child.pid
      if (answer !== 'busy' && (await tryRegister(answer, context, isOurs)))
        return { client: answer, pid, started: isOurs }
    } else if (pid === undefined) {
      started = await startUnlessStarting(context, started, began)
      silentSince = performance.now()
    } else if (performance.now() - silentSince > SILENCE_MS) {
      await restartSilent(context, pid)
    }
    await pause(POLL_MS)
  }
}

/** A connection, which holds our locks for as long as it is open; or: no answer, or a server that starts or stops. */
async function connect({ host, purpose }: EmbeddedContext): Promise<pg.Client | 'silent' | 'busy'> {
  const client = new pg.Client({
    host,
    port: PORT,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    application_name: `rodado ${purpose} pid ${process.pid}`,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || message.startsWith('timeout')) return 'silent'
    if (isUnavailable(error) && !code.startsWith('28')) return 'busy'
    throw new Error(`The embedded PostgreSQL refuses us: ${message}`, { cause: error })
  }
}

/** Only a server may stop a PostgreSQL that does not answer: others may depend on it. */
async function restartSilent(context: EmbeddedContext, pid: number): Promise<void> {
  if (context.purpose === 'command')
    throw new Error(
      `PostgreSQL (process ${pid}) of DATA_DIR ${context.dataDir} runs and does not answer. Restart the server, which repairs it.`,
    )
  context.log.warn({ pid }, 'embedded store: PostgreSQL runs but does not answer; restarting it')
  await stopPostmaster(pid, context)
}

/** Starts PostgreSQL unless we already did. If it ended, retries while an earlier postmaster is still ending. */
async function startUnlessStarting(context: EmbeddedContext, previous: Postmaster | undefined, began: number) {
  if (previous === undefined) return startPostmaster(context)
  const { pid, exitCode, signalCode } = previous.child
  if (pid !== undefined && exitCode === null && signalCode === null) return previous
  const message = await previous.errors()
  if (!LEFTOVERS.test(message) || performance.now() - began > LEFTOVERS_MS)
    throw new Error(explain(`PostgreSQL did not start in ${context.dir}`, message || 'it gave no reason'))
  context.log.info({}, 'embedded store: waiting for an earlier PostgreSQL to end')
  return undefined
}

/** Registers on the connection. If it returns false, the connection is closed and it is worth connecting again. */
async function tryRegister(client: pg.Client, context: EmbeddedContext, isOurs: boolean): Promise<boolean> {
  let registered = false
  try {
    registered = await register(client, context, isOurs)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  } finally {
    if (!registered) await client.end().catch(() => undefined)
  }
  return registered
}

async function register(client: pg.Client, context: EmbeddedContext, isOurs: boolean): Promise<boolean> {
  const { purpose, dataDir } = context
  if (purpose === 'serve' && !(await lockWithin(client, SERVE, OWNER_GRACE_MS)))
    throw new Error(
      `Another Rodado server (process ${await ownerPid(client)}) already uses DATA_DIR ${dataDir}. Stop it first, or give this one another DATA_DIR.`,
    )
  if (!(await lock(client, USE, 'shared'))) return false // the last user is stopping PostgreSQL
  if (purpose === 'serve' && !isOurs && (await restartsWithOurSettings(client, context))) return false
  await prepareDatabase(client)
  return true
}

/** A server adopts the PostgreSQL that a killed one left, unless its version or settings differ from ours. */
async function restartsWithOurSettings(client: pg.Client, context: EmbeddedContext): Promise<boolean> {
  const { log } = context
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  if (await hasOurSettings(context, rows[0]?.server_version ?? '')) {
    log.info({}, 'embedded store: adopted the running PostgreSQL')
    return false
  }
  const pid = await livePostmaster(context)
  if (pid === undefined || !(await lock(client, USE))) {
    log.warn({}, 'embedded store: PostgreSQL runs with other settings; not restarted, because other processes use it')
    return false
  }
  log.info({ pid }, 'embedded store: PostgreSQL runs with other settings; restarting it')
  await stopPostmaster(pid, context)
  return true
}

/** Creates the server's database and its role, which is not a superuser: a superuser's query can act as PostgreSQL's system user. */
async function prepareDatabase(client: pg.Client): Promise<void> {
  const isThere = async (query: string) => (await client.query(query)).rows.length > 0
  const hasDatabase = () => isThere(`select from pg_database where datname = 'rodado'`)
  if (await hasDatabase()) return
  await client.query('select pg_advisory_lock($1, $2)', [LOCKS, PREPARE])
  try {
    if (!(await isThere(`select from pg_roles where rolname = 'rodado'`)))
      await client.query('create role rodado login')
    if (!(await hasDatabase())) await client.query('create database rodado owner rodado template template0')
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [LOCKS, PREPARE])
  }
}

/** Detaches, and stops PostgreSQL if nobody else uses it. A server stops it in any case. */
export async function detach(context: EmbeddedContext, { client }: Attached): Promise<void> {
  const isServer = context.purpose === 'serve'
  try {
    const alone = await lockWithin(client, USE, isServer ? COMMAND_GRACE_MS : 0).catch(() => false)
    if (!alone && !isServer) return
    const pid = await livePostmaster(context)
    if (pid !== undefined) await stopPostmaster(pid, context)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ownerPid(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [LOCKS, SERVE],
  )
  return rows[0]?.name.match(/pid (\d+)/)?.[1] ?? 'unknown'
}

/** Tries to get a lock until the time is over, once at least. */
async function lockWithin(client: pg.Client, key: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await lock(client, key))) {
    if (performance.now() >= deadline) return false
    await pause(POLL_MS)
  }
  return true
}

async function lock(client: pg.Client, key: number, mode?: 'shared'): Promise<boolean> {
  const call = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ taken: boolean }>(`select ${call}($1::int, $2::int) as taken`, [LOCKS, key])
  return rows[0]?.taken === true
}
