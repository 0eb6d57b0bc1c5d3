import { setTimeout as pause } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import type { Log } from './circuit-breaker.ts'
import { batch } from './concurrency.ts'
import type { ClientId, Db, Store } from './db.ts'
import type { Connection } from './failover.ts'
import { gauge } from './metrics.ts'
import { CHANNEL, EVERYONE, followPrimary, rememberWrites } from './replicas/primary.ts'
import { followReplica, type PoolOptions, type ReplicaStatus } from './replicas/replica.ts'

export type { ReplicaStatus }

interface ReplicasOptions {
  /** Of the pool to each replica. */
  pool: PoolOptions
  /** The primary. */
  store: Store
  /** A connection to the primary itself: LISTEN does not work through a pooler in transaction mode. */
  connection: Connection
  urls: readonly string[]
  maxLagMs: number
  log: Log
  metrics?: Registry
}

interface Replicas {
  /** The primary, whose `reader` chooses a replica. */
  store: Store
  status(): ReplicaStatus[]
  close(): Promise<void>
}

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
export function openReplicas({ store, connection, urls, maxLagMs, pool, log, metrics }: ReplicasOptions): Replicas {
  if (urls.length === 0) return { store, status: () => [], close: async () => undefined }
  const ending = new AbortController()
  const { signal } = ending
  const writes = rememberWrites()
  const primary = followPrimary({ store, connection, log, signal, writes })
  const figures = measureReads(metrics, () => status())
  const replicas = urls.map((url) =>
    followReplica({ url, pool, maxLagMs, primary, log, signal, store, onRepeat: figures.repeated }),
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
      // If it fails, other nodes do not know of the write. They read from no replica that is further behind than this.
      await announce(client).catch(() => pause(maxLagMs, undefined, { signal }).catch(() => undefined))
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
  // The primary, which may be in the list too, has neither: nobody is called because of it.
  const figure = (name: string, help: string, value: (replica: ReplicaStatus) => number) =>
    gauge(metrics, name, help, ['replica'], () =>
      status().flatMap((each) => (each.state === 'primary' ? [] : [[{ replica: each.replica }, value(each)]])),
    )
  figure('rodado_replica_lag_seconds', 'How far a replica is behind the primary.', ({ lagSeconds }) => lagSeconds)
  figure('rodado_replica_usable', '1 while reads may go to the replica, 0 while it is left out.', ({ state }) =>
    state === 'usable' ? 1 : 0,
  )
  figure('rodado_replica_pool_open', 'Open connections to the replica.', ({ connections }) => connections.open)
  figure('rodado_replica_pool_idle', 'Those that nothing uses.', ({ connections }) => connections.idle)
  figure(
    'rodado_replica_pool_waiting',
    'Statements that wait for a connection to the replica.',
    ({ connections }) => connections.waiting,
  )
  return {
    read: (replica: string) => reads.inc({ replica }),
    repeated: (replica: string) => repeated.inc({ replica }),
  }
}
