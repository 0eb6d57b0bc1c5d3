import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../circuit-breaker.ts'
import { type Db, openStore, type Store } from '../db.ts'
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
}

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
  max: number
  maxLagMs: number
  log: Log
  url: string
  primary: Primary
  signal: AbortSignal
  onRepeat(replica: string): void
}

/** A pool to a replica, and how far it has replayed. */
export function followReplica({ url, store, max, maxLagMs, primary, log, signal, onRepeat }: ReplicaOptions) {
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
    const isSameHistory = system === position.system && timeline === position.timeline
    // A list of all members of a cluster contains the leader.
    if (!isReplica || system !== position.system) return leaveOut(isSameHistory ? 'primary' : 'not-a-replica')
    // Positions of different timelines cannot be compared.
    if (!isSameHistory) return leaveOut('other-timeline')
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
    else if (state === 'primary') log.info({ replica: name }, 'replicas: left out while it is the primary')
    else log.warn({ replica: name, state, err }, 'replicas: left out')
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
    onLost: (error) => report(() => leaveOut('unreachable'), error),
  }).finally(() => pool.close())

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
