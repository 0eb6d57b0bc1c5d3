import pg from 'pg'
import { createCircuitBreaker, isAnswer, isUnavailable, type Log } from './circuit-breaker.ts'
import { createKeyedMutex } from './concurrency.ts'
import { type Connection, clientClass, destroyConnection, ignoreError, newClient } from './failover.ts'
import type { Statement } from './prepared.ts'
import { statementName } from './statement-name.ts'

/** Runs statements: on the pool, or within one transaction. A function that takes a `Db` works with either. */
export interface Db {
  /** `keep-plan`: for frequent statements that take longer to plan than to run and whose text seldom varies. */
  query<Row>(statement: Statement, plan?: 'keep-plan'): Promise<Row[]>
  /** The first row, if there is one. */
  first<Row>(statement: Statement, plan?: 'keep-plan'): Promise<Row | undefined>
  /** Whether the statement finds or returns a row. */
  hasRows(statement: Statement, plan?: 'keep-plan'): Promise<boolean>
  /** True if a statement that writes returned a row. */
  changes(statement: Statement): Promise<boolean>
  /** The number in the column `count` of the first row. */
  count(statement: Statement, plan?: 'keep-plan'): Promise<number>
  /**
   * Wakes the workers of a queue, or of one destination in it (`deliveries:12`): after the commit, or at once on the pool.
   * `app:12` says that something was written for the app (replicas.ts).
   */
  notify(queue: string): void
}

/** The forms of `query` that every `Db` has. */
export const QUERY_FORMS = {
  async first<Row>(this: Db, ...statement: Parameters<Db['query']>): Promise<Row | undefined> {
    return (await this.query<Row>(...statement))[0]
  },
  async hasRows(this: Db, ...statement: Parameters<Db['query']>): Promise<boolean> {
    return (await this.query(...statement)).length > 0
  },
  changes(this: Db, statement: Statement): Promise<boolean> {
    return this.hasRows(statement)
  },
  async count(this: Db, ...statement: Parameters<Db['query']>): Promise<number> {
    return (await this.first<{ count: number }>(...statement))?.count ?? 0
  },
}

/** Whose writes are remembered, so that they are read back: an app, or a signed-in person. */
export type ClientId = `app:${number}` | `account:${number}`

/** What an act begins its transaction on. Within another transaction it joins that one: they commit together or not at all. */
export interface Transactional extends Db {
  transaction<T>(work: (tx: Transactional) => Promise<T>): Promise<T>
  /** A transaction. Those with the same key run one after another and hold one connection between them (concurrency.ts). */
  withLock<T>(key: string, work: (tx: Transactional) => Promise<T>): Promise<T>
}

/** The dependencies of an act that may be part of another's transaction. */
export type Joining<Deps> = Omit<Deps, 'store'> & { store: Transactional }

export interface Store extends Transactional {
  /** Where the client may read now: a replica that has all its writes (replicas.ts), or else this store. */
  reader(client: ClientId): Promise<Db>
  /** Called after a write of the client and before its answer. */
  wrote(client: ClientId): Promise<void>
  ping(): Promise<void>
  /** The pool of this process: `waiting` counts statements and transactions that wait for a connection. */
  connections(): { max: number; open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Called with the name of each statement as it starts; what it returns is called as it ends. For metrics and traces. */
export type StatementObserver = (name: string) => (error?: unknown) => void

export interface StoreOptions {
  connection: Connection
  max: number
  log?: Log
  /** How long a statement may run, and how long it may wait for a lock. */
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  /** Behind a pooler, which refuses settings of a session; PostgreSQL then has its timeouts by role (docs/poolers.md). */
  isPooled?: boolean
  /** A command waits for a slow database rather than give up: nothing piles up behind it. */
  withBreaker?: boolean
  observe?: StatementObserver | undefined
}

const CONNECT_TIMEOUT_MS = 5_000
/** A new connection costs a process, a password check and every prepared plan: keep them while there is little traffic. */
const IDLE_TIMEOUT_MS = 300_000
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
/** PostgreSQL ends a statement first, and stops working on it; this is for one that no longer answers. */
const ANSWER_GRACE_MS = 5_000
const PING_TIMEOUT_MS = 2_000
/** Longer than the circuit breaker waits; closes the socket of an abandoned probe. */
const PROBE_TIMEOUT_MS = 8_000
const INT8_OID = 20

/** Counts and sequences fit a number; scoped to our pool because a global parser would change other libraries' results. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
}

/** Opens the connection pool of this process. It connects on first use, and again after an outage. */
export function openStore({
  connection,
  max,
  log,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
  isPooled = false,
  withBreaker = true,
  observe,
}: StoreOptions): Store {
  const timeouts = isPooled ? {} : { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs }
  const pool = new pg.Pool({
    application_name: 'rodado',
    ...connection,
    max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...timeouts,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    Client: clientClass(connection),
  })
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (err) => log?.warn({ err }, 'store: an idle connection was lost'))

  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', ignoreError)
  })
  pool.on('remove', (client) => clients.delete(client))

  const notifier = createNotifier(pool)
  const withMutex = createKeyedMutex()
  const breaker = createCircuitBreaker({
    probe: (signal) => probe(connection, signal),
    giveUp: () => {
      for (const client of clients) destroyConnection(client)
    },
    log,
  })
  const watch: typeof breaker.watch = withBreaker ? breaker.watch : (query) => query()
  const transact = <T>(work: (tx: Transactional) => Promise<T>) =>
    watch(() => transaction(pool, notifier, work, observe))
  const store: Store = {
    ...QUERY_FORMS,
    query: (statement, plan) =>
      watch(async () =>
        takeRows(await resultOf(pool.query(queryConfig(statement, plan)), observe?.(statementName(statement.text)))),
      ),
    notify: (queue) => notifier.notify([queue]),
    transaction: transact,
    withLock: (key, work) => withMutex(key, () => transact(work)),
    reader: async () => store,
    wrote: async () => undefined,
    async ping() {
      await watch(() => pool.query({ text: 'select 1', query_timeout: PING_TIMEOUT_MS } as pg.QueryConfig))
    },
    connections: () => ({ max, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      breaker.stop()
      await pool.end()
    },
  }
  return store
}

/** Queries the database on a connection of its own, so that a full pool does not delay it. */
async function probe(connection: Connection, signal: AbortSignal): Promise<void> {
  const client = newClient(connection, { application_name: 'rodado probe', connectionTimeoutMillis: PROBE_TIMEOUT_MS })
  signal.addEventListener('abort', () => destroyConnection(client))
  try {
    await client.connect()
    await client.query('select')
  } finally {
    destroyConnection(client)
  }
}

/** Makes an error's stack show the caller instead of pg's socket. */
async function resultOf(query: Promise<pg.QueryResult>, ended?: (error?: unknown) => void): Promise<pg.QueryResult> {
  try {
    const result = await query
    ended?.()
    return result
  } catch (error) {
    ended?.(error)
    Error.captureStackTrace(error as Error)
    throw error
  }
}

/**
 * Takes the rows out of a result. pg sets `query.callback = () => …`, and V8 puts a function that is assigned to a property
 * into its old generation: with it the query, its result and all rows would stay until the next full collection.
 */
function takeRows<Row>(result: pg.QueryResult): Row[] {
  const { rows } = result
  result.rows = []
  return rows
}

const queryConfig = ({ text, values }: Statement, plan?: 'keep-plan'): pg.QueryConfig =>
  plan ? { text, values, name: nameOf(text) } : { text, values }

const names = new Map<string, string>()

/** The name of a prepared statement: one for each text. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `stmt_${names.size + 1}`
  names.set(text, name)
  return name
}

async function transaction<T>(
  pool: pg.Pool,
  notifier: ReturnType<typeof createNotifier>,
  work: (tx: Transactional) => Promise<T>,
  observe?: StatementObserver,
): Promise<T> {
  const client = await pool.connect()
  const queues = new Set<string>()
  let lost: Error | undefined
  const onLost = (error: Error) => {
    lost = error
  }
  client.on('error', onLost)
  try {
    await client.query('begin')
    const tx: Transactional = {
      ...QUERY_FORMS,
      query: async (statement, plan) =>
        takeRows(await resultOf(client.query(queryConfig(statement, plan)), observe?.(statementName(statement.text)))),
      notify: (queue) => void queues.add(queue),
      transaction: (joined) => joined(tx),
      withLock: (_key, joined) => joined(tx), // it has its connection already
    }
    const result = await work(tx)
    const { command } = await resultOf(client.query('commit'), observe?.('commit'))
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error. Code that swallowed the first error
    // must not take it for a commit.
    if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit and was rolled back')
    notifier.notify(queues)
    return result
  } catch (error) {
    lost ??= await rollback(client, error)
    throw error
  } finally {
    client.off('error', onLost)
    client.release(lost)
  }
}

/** Returns an error where the connection's state is unknown; the pool then destroys it. */
async function rollback(client: pg.PoolClient, cause: unknown): Promise<Error | undefined> {
  if (isUnavailable(cause) && !isAnswer(cause)) return cause as Error
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** A transaction that may end without its changes: `rollBack` ends it, and the outcome is returned. */
export async function transactionOr<T>(
  store: Store,
  work: (tx: Db, rollBack: (outcome: T) => never) => Promise<T>,
): Promise<T> {
  let rolledBack: { outcome: T } | undefined
  const rollBack = (outcome: T): never => {
    rolledBack = { outcome }
    throw new Error('rolled back on purpose')
  }
  return store
    .transaction((tx) => work(tx, rollBack))
    .catch((error) => {
      if (rolledBack) return rolledBack.outcome
      throw error
    })
}

/**
 * Tells other processes, over the channel `outbox`, that a queue has new rows. NOTIFY is sent after the commit, in a
 * statement of its own: within the transaction it would hold a lock of the whole database until the commit is on disk.
 * One statement runs at a time, and what comes meanwhile goes with the next. An error is ignored, because workers look
 * for due rows every second anyway.
 */
function createNotifier(pool: pg.Pool) {
  const pending = new Set<string>()
  let sending = false

  async function send(): Promise<void> {
    sending = true
    try {
      while (pending.size > 0) {
        const queues = [...pending]
        pending.clear()
        await pool.query(`select pg_notify('outbox', queue) from unnest($1::text[]) queue`, [queues])
      }
    } catch {
      pending.clear()
    } finally {
      sending = false // set in the same tick as the last check of `pending`, so that nothing is left behind
    }
  }

  return {
    notify(queues: Iterable<string>): void {
      for (const queue of queues) pending.add(queue)
      if (!sending && pending.size > 0) void send()
    },
  }
}
