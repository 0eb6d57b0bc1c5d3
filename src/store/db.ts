import pg from 'pg'
import type { BaseLogger } from 'pino'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { clientClass, heardElsewhere, newClient } from './hosts.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { createNotifier, type Notifier } from './notifier.ts'
import type { Statement } from './prepared.ts'
import { destroy, openQuestions, type Questions } from './questions.ts'

/** What asks the database: a pool, or one transaction of it; a function that takes it cannot tell, and need not. */
export interface Db {
  /**
   * `keep-plan` has each connection plan the statement once: for those that are asked often, take longer to plan than to
   * run (many partitions), and are written in few ways.
   */
  query<Row>(statement: Statement, plan?: 'keep-plan'): Promise<Row[]>
  /** Wakes the workers of that queue, or of one lane of it (`deliveries:12`), once what was written is committed. */
  ring(queue: string): void
}

/** The whole store of one process: everything a `Db` does, and the beginning and end of transactions. */
export interface Store extends Db {
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** A transaction; those of one turn come one after another and hold one connection between them (turns.ts). */
  withLock<T>(turn: string, work: (tx: Db) => Promise<T>): Promise<T>
  ping(): Promise<void>
  close(): Promise<void>
}

/** Where a database is: a URL, or the parts that a socket of the embedded store has. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'application_name'
>

/** The three levels the store writes; a pino logger is one. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>

export interface StoreOptions {
  connection: Connection
  max: number
  log?: Log
  /** How long a question may take. */
  answerWithinMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 30_000
const PING_TIMEOUT_MS = 2_000
const INT8_OID = 20

/** Counts and sequences fit a number; scoped to our pool because a global parser would change other libraries' results. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
}

/** Opens the pool every question of this process goes through; it connects when first asked, and again after an outage. */
export function openStore(options: StoreOptions): Store {
  const { connection, max, log, answerWithinMs = QUERY_TIMEOUT_MS } = options
  const pool = new pg.Pool({
    application_name: 'rodado',
    ...connection,
    max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    Client: clientClass(connection),
  })
  // Without a listener, an idle connection that the server cuts would end the process.
  pool.on('error', (err) => log?.warn({ err }, 'store: an idle connection was lost'))

  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', heardElsewhere)
  })
  pool.on('remove', (client) => clients.delete(client))

  const questions = openQuestions(pool, answerWithinMs)
  const bell = createNotifier(questions)
  const turns = createKeyedMutex()
  const breaker = createCircuitBreaker({
    probe: () => knock(connection),
    giveUp: () => {
      for (const client of clients) destroy(client)
    },
    log,
  })
  const transact = <T>(work: (tx: Db) => Promise<T>) =>
    breaker.watch(() => transaction({ pool, questions, bell }, work))
  return {
    query: (statement, plan) => breaker.watch(() => rowsOf(questions.any(questionOf(statement, plan)))),
    ring: (queue) => bell.ring([queue]),
    transaction: transact,
    withLock: (turn, work) => turns(turn, () => transact(work)),
    async ping() {
      await breaker.watch(() => pool.query({ text: 'select 1', query_timeout: PING_TIMEOUT_MS } as pg.QueryConfig))
    },
    async close() {
      breaker.stop()
      await pool.end()
    },
  }
}

/** A question on a connection of its own, which no full pool holds up. */
async function knock(connection: Connection): Promise<void> {
  const client = newClient(connection, {
    application_name: 'rodado probe',
    connectionTimeoutMillis: PING_TIMEOUT_MS,
    query_timeout: PING_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select')
  } finally {
    destroy(client)
  }
}

const rowsOf = async <Row>(asked: Promise<pg.QueryResult>): Promise<Row[]> => (await asked).rows

const questionOf = ({ text, values }: Statement, plan?: 'keep-plan'): pg.QueryConfig =>
  plan ? { text, values, name: nameOf(text) } : { text, values }

const names = new Map<string, string>()

/** The name that a connection keeps a plan under: one for each wording. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `kept_${names.size + 1}`
  names.set(text, name)
  return name
}

interface Deps {
  pool: pg.Pool
  questions: Questions
  bell: Notifier
}

async function transaction<T>({ pool, questions, bell }: Deps, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const ask = (question: pg.QueryConfig) => questions.on(client, question)
  const rung = new Set<string>()
  let lost: Error | undefined
  const onLost = (error: Error) => {
    lost = error
  }
  client.on('error', onLost)
  try {
    await ask({ text: 'begin' })
    const result = await work({
      query: (statement, plan) => rowsOf(ask(questionOf(statement, plan))),
      ring: (queue) => void rung.add(queue),
    })
    const { command } = await ask({ text: 'commit' })
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error: whoever swallowed the error must hear of it.
    if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit and was rolled back')
    bell.ring(rung)
    return result
  } catch (error) {
    lost ??= await rollback(ask, error)
    throw error
  } finally {
    client.off('error', onLost)
    client.release(lost)
  }
}

/** A connection that cannot roll back is in no known state: the error returned here has the pool destroy it. */
async function rollback(
  ask: (question: pg.QueryConfig) => Promise<unknown>,
  cause: unknown,
): Promise<Error | undefined> {
  if (isUnavailable(cause)) return cause as Error
  try {
    await ask({ text: 'rollback' })
    return undefined
  } catch (error) {
    return error as Error
  }
}

const SOCKET_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EADDRNOTAVAIL)$/
/** Shutting down or starting (57P0x), full of connections or of data (53x), read-only after a failover (25006). */
const AWAY_SQLSTATES = /^(08...|57P0[123]|53[123]00|25006)$/
const AWAY_MESSAGES =
  /^(Connection terminated|timeout ex(ceeded|pired)|Query read timeout|Client (has encountered a connection error|was closed))/

/** Whether an error means that the database is away, which partners hear as 503 and not as our fault. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (SOCKET_CODES.test(code) || AWAY_SQLSTATES.test(code) || AWAY_MESSAGES.test(error.message)) return true
  // A socket file that is not there; any other missing file is a fault of ours.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return isUnavailable(error.cause)
}
