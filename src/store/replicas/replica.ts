import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../circuit-breaker.ts'
import { type Db, openStore, QUERY_FORMS, type Store, type StoreOptions } from '../db.ts'
import { type Connection, withClient } from '../failover.ts'
import { reconnect } from '../reconnect.ts'
import { type Position, PROBE_MS, type Primary, rowsOf } from './primary.ts'

/** What a replica is, for metrics, health and doctor. */
export interface ReplicaStatus {
  /** `host:port` */
  replica: string
  state: 'usable' | 'late' | 'unreachable' | 'primary' | 'not-a-replica' | 'other-timeline' | 'unknown'
  /** Infinity while it is not known. */
  lagSeconds: number
  connections: ReturnType<Store['connections']>
}

export type PoolOptions = Pick<StoreOptions, 'max' | 'statementTimeoutMs' | 'lockTimeoutMs' | 'observe'>

/** Together with PROBE_MS less than a second, in which a replica that no longer answers is left out. */
const SILENCE_MS = 500
const CONNECT_TIMEOUT_MS = 2_000
/** The pause before the next probe while a client waits for its own write to arrive. */
const EARLY_PROBE_MS = 25
const MAX_SAMPLES = 1_000

/** The state of a replica. Its timeline is that of the last restart point where the role may not see the WAL receiver. */
const REPLAYED = `
  select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0')::text as lsn,
    system_identifier::text as system,
    case when pg_is_in_recovery() then coalesce(received_tli, timeline_id)
      else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline
  from pg_control_system(), pg_control_checkpoint() left join pg_stat_wal_receiver on true`

interface Replayed {
  isReplica: boolean
  lsn: string | null
  system: string
  timeline: number
}

interface ReplicaOptions {
  store: Store
  pool: PoolOptions
  maxLagMs: number
  log: Log
  url: string
  primary: Primary
  signal: AbortSignal
  onRepeat(replica: string): void
}

/** A pool to a replica, and how far it has replayed. */
export function followReplica({ url, store, pool: options, maxLagMs, primary, log, signal, onRepeat }: ReplicaOptions) {
  const connection = connectionOf(url)
  const name = `${connection.host}:${connection.port}`
  const pool = openStore({ connection, ...options })
  const queries = withFallback(pool, store, () => onRepeat(name))
  const replay = trackReplay()
  const sleep = createSleep(signal)
  let state: ReplicaStatus['state'] = 'unknown'

  const stateByLag = () => (replay.lagMs() <= maxLagMs ? 'usable' : 'late')

  function enter(next: ReplicaStatus['state']): void {
    state = next
    if (state === 'usable' || state === 'late') return
    replay.reset()
    queries.abandon(new Error(`The replica ${name} is left out.`))
  }

  function enterAndLog(next: ReplicaStatus['state'], err?: unknown): void {
    const before = state
    enter(next)
    if (state === before) return
    if (state === 'usable') log.info({ replica: name }, 'replicas: used')
    else if (state === 'primary') log.info({ replica: name }, 'replicas: left out while it is the primary')
    else log.warn({ replica: name, state, err }, 'replicas: left out')
  }

  function compare(position: Position, { isReplica, lsn, system, timeline }: Replayed): ReplicaStatus['state'] {
    const isSameHistory = system === position.system && timeline === position.timeline
    // A list of all members of a cluster contains the leader.
    if (!isReplica || system !== position.system) return isSameHistory ? 'primary' : 'not-a-replica'
    // Positions of different timelines cannot be compared.
    if (!isSameHistory) return 'other-timeline'
    replay.add(position, Number(lsn))
    return stateByLag()
  }

  async function session(client: pg.Client): Promise<void> {
    while (!signal.aborted) {
      const position = await primary.position().catch(() => undefined)
      if (position) {
        const [replayed] = await unlessSilent(rowsOf<Replayed>(client.query(REPLAYED)), queries.answeredAt)
        enterAndLog(compare(position, replayed))
      } else enter('unknown') // the loss of the primary is logged once, not by each replica
      await sleep.between(EARLY_PROBE_MS, PROBE_MS)
    }
  }

  const more = {
    application_name: 'rodado replicas',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: maxLagMs,
    keepAlive: true,
  }
  const ended = reconnect({
    signal,
    firstPauseMs: PROBE_MS,
    session: () => withClient(connection, more, session),
    onLost: (error) => enterAndLog('unreachable', error),
  }).finally(() => pool.close())

  const currentState = () => (state === 'usable' ? stateByLag() : state)
  return {
    name,
    db: queries.db,
    ended,
    isUsable: () => currentState() === 'usable',
    completeAt: replay.completeAt,
    running: queries.running,
    served: queries.served,
    probeSoon: sleep.wake,
    status: (): ReplicaStatus => ({
      replica: name,
      state: currentState(),
      lagSeconds: replay.lagMs() / 1000,
      connections: pool.connections(),
    }),
  }
}

/** Until when a replica has everything that the primary committed. */
function trackReplay() {
  /** Positions that it has not replayed yet, oldest first. */
  let ahead: Position[] = []
  let completeAt = Number.NEGATIVE_INFINITY
  return {
    add(position: Position, replayed: number): void {
      if (ahead.length < MAX_SAMPLES) ahead.push(position)
      while (ahead[0] && ahead[0].lsn <= replayed) completeAt = (ahead.shift() as Position).at
    },
    reset(): void {
      ahead = []
      completeAt = Number.NEGATIVE_INFINITY
    },
    completeAt: () => completeAt,
    lagMs: () => performance.now() - completeAt,
  }
}

/** Queries on a replica. The primary repeats those that fail, and those still running when `abandon` is called. */
function withFallback(replica: Store, primary: Store, onRepeat: () => void) {
  const running = new Set<(error: Error) => void>()
  let served = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  const db: Db = {
    ...QUERY_FORMS,
    async query<Row>(...statement: Parameters<Db['query']>) {
      let reject: (error: Error) => void = () => undefined
      const abandoned = new Promise<never>((_, fail) => {
        reject = fail
      })
      running.add(reject)
      served++
      try {
        const rows = await Promise.race([replica.query<Row>(...statement), abandoned])
        answeredAt = performance.now()
        return rows
      } catch {
        onRepeat()
        return primary.query<Row>(...statement)
      } finally {
        running.delete(reject)
      }
    },
    notify: primary.notify,
  }
  return {
    db,
    abandon(reason: Error): void {
      for (const reject of running) reject(reason)
      running.clear()
    },
    running: () => running.size,
    served: () => served,
    /** When the replica last answered a query. */
    answeredAt: () => answeredAt,
  }
}

/** A busy replica may answer a probe late, as long as it answers other queries: then only its lag counts. */
async function unlessSilent<T>(probe: Promise<T>, answeredAt: () => number): Promise<T> {
  const sentAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<never>((_, reject) => {
    const check = () => {
      const silentMs = performance.now() - Math.max(sentAt, answeredAt())
      if (silentMs >= SILENCE_MS) reject(new Error('The replica does not answer.'))
      else timer = setTimeout(check, SILENCE_MS - silentMs)
    }
    check()
  })
  return Promise.race([probe, silent]).finally(() => clearTimeout(timer))
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
