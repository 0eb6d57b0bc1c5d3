import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import type { Log } from './circuit-breaker.ts'
import { batch } from './concurrency.ts'
import { type ClientId, type Db, openStore, type Store } from './db.ts'
import { type Connection, withClient } from './failover.ts'

export interface ReplicasOptions {
  /** The primary. */
  store: Store
  /** A connection to the primary itself: LISTEN does not work through a pooler in transaction mode. */
  connection: Connection
  urls: readonly string[]
  maxLagMs: number
  /** Connections to each replica. */
  max: number
  log: Log
  metrics?: Registry
}

/** What a replica is, for metrics, health and doctor. */
export interface ReplicaStatus {
  /** `host:port` */
  replica: string
  state: 'usable' | 'late' | 'unreachable' | 'not-a-replica' | 'other-timeline' | 'unknown'
  /** Infinity while it is not known. */
  lagSeconds: number
}

export interface Replicas {
  /** The primary, whose `reader` chooses a replica. */
  store: Store
  status(): ReplicaStatus[]
  close(): Promise<void>
}

const PROBE_MS = 300
/** With PROBE_MS less than a second: a replica that no longer answers is left out within it. */
const SILENCE_MS = 500
const CONNECT_TIMEOUT_MS = 2_000
/** The pause before the next probe while a client waits for its own write to arrive. */
const EARLY_PROBE_MS = 25
const MAX_PAUSE_MS = 2_000
const CHANNEL = 'writes'
const EVERYONE = '*'
const MAX_WRITERS = 10_000
const MAX_SAMPLES = 1_000

/**
 * Part of a transaction that takes something away from readers: an association ends, a person is erased. No node reads
 * from a replica that has not replayed it.
 */
export const withdrawFromReplicas = (tx: Db): Promise<unknown> =>
  tx.query(sql`select pg_notify(${CHANNEL}, ${EVERYONE})`)

/** Reads one row. What a replica does not have yet is read from the primary. */
export async function findFrom<T>(
  store: Store,
  client: ClientId,
  find: (db: Db) => Promise<T | undefined>,
): Promise<T | undefined> {
  const db = await store.reader(client)
  const found = await find(db)
  return found === undefined && db !== store ? find(store) : found
}

/**
 * Chooses where each client reads. All times are of this process, so no clocks are compared: a replica is `completeAt`
 * the time at which we read a position of the primary that it has replayed since. It may serve a client whose last write
 * was before. Each write is announced by NOTIFY before it is answered, and `reader` first makes sure that this process has
 * received what was announced, so the rule holds on every node.
 */
export function openReplicas({ store, connection, urls, maxLagMs, max, log, metrics }: ReplicasOptions): Replicas {
  if (urls.length === 0) return { store, status: () => [], close: async () => undefined }
  const ending = new AbortController()
  const { signal } = ending
  const writes = rememberWrites()
  const primary = followPrimary({ store, connection, log, signal, writes })
  const figures = measureReads(metrics, () => status())
  const replicas = urls.map((url) =>
    followReplica({ url, max, maxLagMs, primary, log, signal, store, onRepeat: figures.repeated }),
  )
  const announce = batch<ClientId, undefined>(
    async (clients) => {
      await store.query(sql`select pg_notify(${CHANNEL}, client) from unnest(${[...new Set(clients)]}::text[]) client`)
      return clients.map(() => undefined)
    },
    { maxItems: 1_000, maxWaitMs: 1_000 },
  )
  const status = () => replicas.map((replica) => replica.status())

  /** The least busy of those that have everything written before `since`; of equals the one that served less. */
  function choose(since: number) {
    const [best] = replicas
      .filter((replica) => replica.isUsable() && replica.completeAt() > since)
      .sort((a, b) => a.running() - b.running() || a.served() - b.served())
    return best
  }

  const routed: Store = {
    ...store,
    async reader(client) {
      const chosen = replicas.some((replica) => replica.isUsable()) && (await chooseFor(client))
      figures.read(chosen ? chosen.name : 'primary')
      return chosen ? chosen.db : routed
    },
    async wrote(client) {
      writes.add(client)
      // If it fails, the primary is away and nobody reads from replicas either.
      await announce(client).catch(() => undefined)
    },
  }

  async function chooseFor(client: ClientId) {
    const position = await primary.position().catch(() => undefined)
    if (!position) return undefined
    const chosen = choose(writes.last(client))
    if (!chosen) for (const replica of replicas) replica.probeSoon()
    return chosen
  }

  return {
    store: routed,
    status,
    async close() {
      ending.abort()
      await Promise.all([primary.ended, ...replicas.map((replica) => replica.ended)])
    },
  }
}

/** When each client last wrote. */
function rememberWrites() {
  const times = new Map<string, number>()
  let all = performance.now()
  return {
    add(client: string): void {
      const now = performance.now()
      if (client === EVERYONE) all = now
      times.delete(client) // the map is in the order of the last writes
      times.set(client, now)
      for (const [oldest, time] of times) {
        if (times.size <= MAX_WRITERS) return
        times.delete(oldest)
        all = Math.max(all, time)
      }
    },
    last: (client: string): number => Math.max(all, times.get(client) ?? 0),
  }
}

interface Position {
  /** Everything committed before this time is at or before `lsn`. */
  at: number
  lsn: number
  timeline: number
  system: string
}

/** Includes what is not on disk yet: a commit that does not wait for the disk is visible before. */
const POSITION = `
  select (pg_current_wal_insert_lsn() - '0/0')::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline`

const WAL_PAGE = 8_192
const WAL_PAGE_HEADERS = [24, 40]

/** The next record begins after the header of its page, which a replica has not read while there is no record. */
function endOfRecords(lsn: number): number {
  const offset = lsn % WAL_PAGE
  return WAL_PAGE_HEADERS.includes(offset) ? lsn - offset : lsn
}

interface PrimaryOptions extends Pick<ReplicasOptions, 'store' | 'connection' | 'log'> {
  signal: AbortSignal
  writes: ReturnType<typeof rememberWrites>
}

/** A connection to the primary that receives what other nodes wrote and reads the primary's position. */
function followPrimary({ store, connection, log, signal, writes }: PrimaryOptions) {
  const none = async (): Promise<Position> => {
    throw new Error('The position of the primary is not known.')
  }
  let read = none
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Position> | undefined

  /** PostgreSQL sends pending notifications before the end of its answer, so those of earlier commits are received. */
  function position(): Promise<Position> {
    // Concurrent callers share one statement, but never one that was sent before they called.
    next ??= running.then(() => {
      next = undefined
      const reading = read()
      running = reading.catch(() => undefined)
      return reading
    })
    return next
  }

  async function session(client: pg.Client): Promise<void> {
    const token = randomUUID()
    let hear: (() => void) | undefined
    client.on('notification', ({ channel, payload = '' }) => {
      if (payload === token) hear?.()
      else if (channel === CHANNEL || payload.startsWith('app:')) writes.add(payload)
    })
    await client.query(`listen ${CHANNEL}`)
    await client.query('listen outbox') // events for apps are announced there
    // This connection is idle now: a pooler in transaction mode would have given its server connection to others.
    const heard = new Promise<true>((resolve) => {
      hear = () => resolve(true)
    })
    await store.query(sql`select pg_notify(${CHANNEL}, ${token})`)
    if (!(await Promise.race([heard, pause(MAX_PAUSE_MS, false, { signal })])))
      throw new Error('LISTEN does not work on this connection. Behind a pooler, set DATABASE_DIRECT_URL.')
    const [{ system }] = await rowsOf<{ system: string }>(
      client.query('select system_identifier::text as system from pg_control_system()'),
    )
    writes.add(EVERYONE) // what was announced before is not known
    read = async () => {
      const at = performance.now()
      const reading = client.query({ name: 'position', text: POSITION })
      const [row] = await rowsOf<{ lsn: string; timeline: number }>(reading)
      return { at, lsn: endOfRecords(Number(row.lsn)), timeline: row.timeline, system }
    }
    try {
      while (!signal.aborted) {
        await position()
        await pause(PROBE_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      read = none
    }
  }

  const more = { application_name: 'rodado replicas', query_timeout: 1_000, keepAlive: true }
  const ended = repeat(signal, () => withClient(connection, more, session), log, 'replicas: reads go to the primary')
  return { position, ended }
}

/** The state of a replica. Its timeline is that of the last restart point where the role may not see the WAL receiver. */
const REPLAYED = `
  select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0')::text as lsn,
    system_identifier::text as system, coalesce(received_tli, timeline_id) as timeline
  from pg_control_system(), pg_control_checkpoint() left join pg_stat_wal_receiver on true`

interface Replayed {
  isReplica: boolean
  lsn: string | null
  system: string
  timeline: number
}

interface ReplicaOptions extends Pick<ReplicasOptions, 'store' | 'max' | 'maxLagMs' | 'log'> {
  url: string
  primary: ReturnType<typeof followPrimary>
  signal: AbortSignal
  onRepeat(replica: string): void
}

function followReplica({ url, store, max, maxLagMs, primary, log, signal, onRepeat }: ReplicaOptions) {
  const connection = connectionOf(url)
  const name = `${connection.host}:${connection.port}`
  const pool = openStore({ connection, max })
  const abandon = new Set<(error: Error) => void>()
  /** Positions that it has not replayed yet, oldest first. */
  let ahead: Position[] = []
  let completeAt = Number.NEGATIVE_INFINITY
  let state: ReplicaStatus['state'] = 'unknown'
  let served = 0
  /** When it last answered a query. */
  let answeredAt = Number.NEGATIVE_INFINITY
  const sleep = createSleep(signal)

  const lagMs = () => performance.now() - completeAt
  const isUsable = () => state === 'usable' && lagMs() <= maxLagMs

  /** The queries that wait for it fail, and are repeated on the primary. */
  function leaveOut(reason: ReplicaStatus['state']): void {
    state = reason
    ahead = []
    completeAt = Number.NEGATIVE_INFINITY
    for (const reject of abandon) reject(new Error(`The replica ${name} is left out.`))
    abandon.clear()
  }

  function compare(position: Position, { isReplica, lsn, system, timeline }: Replayed): void {
    if (!isReplica || system !== position.system) return leaveOut('not-a-replica')
    // Positions of different timelines cannot be compared.
    if (timeline !== position.timeline) return leaveOut('other-timeline')
    const replayed = Number(lsn)
    if (ahead.length < MAX_SAMPLES) ahead.push(position)
    while (ahead[0] && ahead[0].lsn <= replayed) completeAt = (ahead.shift() as Position).at
    state = lagMs() <= maxLagMs ? 'usable' : 'late'
  }

  async function session(client: pg.Client): Promise<void> {
    while (!signal.aborted) {
      const position = await primary.position().catch(() => undefined)
      if (position) {
        const [replayed] = await unlessSilent(rowsOf<Replayed>(client.query(REPLAYED)))
        report(() => compare(position, replayed))
      } else leaveOut('unknown')
      await sleep.between(EARLY_PROBE_MS, PROBE_MS)
    }
  }

  /** A busy replica may answer late, as long as it answers others: then only its lag counts. */
  async function unlessSilent<T>(probe: Promise<T>): Promise<T> {
    const sentAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const silent = new Promise<never>((_, reject) => {
      const check = () => {
        const silentMs = performance.now() - Math.max(sentAt, answeredAt)
        if (silentMs >= SILENCE_MS) reject(new Error('The replica does not answer.'))
        else timer = setTimeout(check, SILENCE_MS - silentMs)
      }
      check()
    })
    return Promise.race([probe, silent]).finally(() => clearTimeout(timer))
  }

  function report(change: () => void, err?: unknown): void {
    const before = state
    change()
    if (state === before) return
    if (state === 'usable') log.info({ replica: name }, 'replicas: used')
    else log.warn({ replica: name, state, err }, 'replicas: left out')
  }

  const more = {
    application_name: 'rodado replicas',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: maxLagMs,
    keepAlive: true,
  }
  const ended = repeat(signal, () =>
    withClient(connection, more, session).catch((error) => report(() => leaveOut('unreachable'), error)),
  ).finally(() => pool.close())

  const db: Db = {
    async query<Row>(...statement: Parameters<Db['query']>) {
      let reject: (error: Error) => void = () => undefined
      const abandoned = new Promise<never>((_, fail) => {
        reject = fail
      })
      abandon.add(reject)
      served++
      try {
        const rows = await Promise.race([pool.query<Row>(...statement), abandoned])
        answeredAt = performance.now()
        return rows
      } catch {
        onRepeat(name)
        return store.query<Row>(...statement)
      } finally {
        abandon.delete(reject)
      }
    },
    notify: store.notify,
  }

  return {
    name,
    db,
    ended,
    isUsable,
    completeAt: () => completeAt,
    running: () => abandon.size,
    served: () => served,
    probeSoon: sleep.wake,
    status: (): ReplicaStatus => ({
      replica: name,
      state: state === 'usable' && !isUsable() ? 'late' : state,
      lagSeconds: lagMs() / 1000,
    }),
  }
}

/** Its parts, because a connection by URL is taken for one to the leader, as which a promoted replica would count. */
function connectionOf(url: string): Connection {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url })
  return { host, port, ssl, ...(user && { user }), ...(password && { password }), ...(database && { database }) }
}

/** A pause of at most `max` that `wake` ends early, but not before `min`. */
function createSleep(signal: AbortSignal) {
  let end: () => void = () => undefined
  signal.addEventListener('abort', () => end())
  return {
    async between(min: number, max: number): Promise<void> {
      await pause(min, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, max - min)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    wake: () => end(),
  }
}

/** A statement that always has a row. */
async function rowsOf<Row extends pg.QueryResultRow>(query: Promise<pg.QueryResult>): Promise<[Row]> {
  return (await query).rows as [Row]
}

/** Runs a session again after it has ended, until the signal. */
async function repeat(signal: AbortSignal, session: () => Promise<unknown>, log?: Log, failure = ''): Promise<void> {
  let pauseMs = PROBE_MS
  while (!signal.aborted) {
    const began = performance.now()
    await session().catch((err) => {
      if (!signal.aborted) log?.warn({ err }, failure)
    })
    pauseMs = performance.now() - began > MAX_PAUSE_MS ? PROBE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS)
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

function measureReads(metrics: Registry | undefined, status: () => ReplicaStatus[]) {
  const registers = metrics ? [metrics] : []
  const labelNames = ['replica'] as const
  const reads = new Counter({
    name: 'rodado_replica_reads_total',
    help: 'Reads that a replica may serve, by the server that was chosen for them.',
    labelNames,
    registers,
  })
  const repeated = new Counter({
    name: 'rodado_replica_repeated_total',
    help: 'Queries that failed on a replica and were repeated on the primary.',
    labelNames,
    registers,
  })
  new Gauge({
    name: 'rodado_replica_lag_seconds',
    help: 'How far a replica is behind the primary.',
    labelNames,
    registers,
    collect() {
      for (const { replica, lagSeconds } of status()) this.set({ replica }, lagSeconds)
    },
  })
  new Gauge({
    name: 'rodado_replica_usable',
    help: '1 while reads may go to the replica, 0 while it is left out.',
    labelNames,
    registers,
    collect() {
      for (const { replica, state } of status()) this.set({ replica }, state === 'usable' ? 1 : 0)
    },
  })
  return {
    read: (replica: string) => reads.inc({ replica }),
    repeated: (replica: string) => repeated.inc({ replica }),
  }
}
