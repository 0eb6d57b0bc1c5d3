import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from './circuit-breaker.ts'
import { type Connection, ignoreError, readHosts, withClient } from './failover.ts'
import { START_TIMEOUT_MS } from './migrate.ts'

/** A pooler between us and PostgreSQL, as far as its behaviour tells. */
interface Pooler {
  /** What PgBouncer calls itself, where our user may read it. */
  version: string | undefined
  /** In transaction mode each transaction may run on another connection to PostgreSQL, so LISTEN does not work. */
  mode: 'session' | 'transaction'
  /** Whether prepared statements still work on another connection. */
  keepsPrepared: boolean
  /** Whether PostgreSQL limits our statements. Our own settings do not pass a pooler. */
  hasTimeouts: boolean
}

const CLIENT = {
  application_name: 'rodado check',
  query_timeout: START_TIMEOUT_MS,
  connectionTimeoutMillis: START_TIMEOUT_MS,
}
/** A pooler in transaction mode usually gives another client the connection that was used last. */
const TRIES = 10
const NO_SUCH_STATEMENT = '26000'
const HAS_TIMEOUTS = `
  select '0' not in (current_setting('statement_timeout'), current_setting('lock_timeout')) as "hasTimeouts"`

/** Looks for a pooler. Undefined if the connection leads to PostgreSQL itself. */
export const inspectPooler = (connection: Connection): Promise<Pooler | undefined> =>
  withClient(connection, CLIENT, async (client) => {
    // A pooler has its own key for cancelling a query, so the process that it names does not exist.
    const { processID } = client as pg.Client & { processID: number | null }
    if (processID === (await backendPid(client))) return undefined
    const { rows } = await client.query<{ hasTimeouts: boolean }>(HAS_TIMEOUTS)
    const version = await readVersion(connection)
    const hasTimeouts = rows[0]?.hasTimeouts ?? false
    return { ...(await comparePrepared(client, connection)), version, hasTimeouts }
  })

async function backendPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

/** Prepares a statement, and runs it again when the connection to PostgreSQL that has it is another client's. */
async function comparePrepared(client: pg.Client, connection: Connection) {
  const name = `check_${randomBytes(8).toString('hex')}` // an old pooler leaves it behind
  const prepared = { name, text: 'select pg_backend_pid() as pid' }
  const runPrepared = async () => (await client.query<{ pid: number }>(prepared)).rows[0]?.pid
  try {
    const first = await runPrepared()
    for (let tries = 0; tries < TRIES; tries++) {
      const now = await withClient(connection, CLIENT, async (other) => {
        await other.query('begin')
        return runPrepared().finally(() => other.query('rollback'))
      })
      if (now !== first) return { mode: 'transaction', keepsPrepared: true } as const
    }
    return { mode: 'session', keepsPrepared: true } as const
  } catch (error) {
    const { code } = error as pg.DatabaseError
    if (code !== NO_SUCH_STATEMENT) throw error
    return { mode: 'transaction', keepsPrepared: false } as const
  }
}

/** From PgBouncer's own database, which few users may read. It is no PostgreSQL, so that failover.ts would refuse it. */
async function readVersion(connection: Connection): Promise<string | undefined> {
  const connectionString = readHosts(connection.connectionString)?.withOne ?? connection.connectionString
  const client = new pg.Client({ ...connection, ...CLIENT, ...(connectionString && { connectionString }) })
  client.on('error', ignoreError)
  Object.assign((client as unknown as { connectionParameters: object }).connectionParameters, { database: 'pgbouncer' })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>('show version')
    return rows[0]?.version
  } catch {
    return undefined
  } finally {
    await client.end().catch(ignoreError)
  }
}

/** Refuses a pooler that we cannot work with, and warns of one that makes us slower. True if there is one. */
export async function checkPooler(config: Config, log: Log): Promise<boolean> {
  const { databaseUrl, databaseDirectUrl, pgStatementTimeout, pgLockTimeout } = config
  const pooler = databaseUrl ? await inspectPooler({ connectionString: databaseUrl }) : undefined
  if (!pooler) return false
  const name = pooler.version ?? 'The pooler'
  if (!pooler.keepsPrepared)
    throw new Error(
      `DATABASE_URL leads through a pooler that does not support prepared statements in transaction mode (${name}). Use PgBouncer 1.21 or later with max_prepared_statements above 0, or session mode, or PostgreSQL itself.`,
    )
  if (pooler.mode === 'transaction' && !databaseDirectUrl)
    log.warn(
      {},
      'store: DATABASE_URL leads through a pooler in transaction mode. LISTEN does not work there, so each request reads its app from the database, which is slower. Set DATABASE_DIRECT_URL to PostgreSQL itself',
    )
  if (!pooler.hasTimeouts)
    log.warn(
      {},
      `store: PG_STATEMENT_TIMEOUT and PG_LOCK_TIMEOUT do not pass a pooler. Give them to the role: alter role … set statement_timeout = '${pgStatementTimeout}s', and set lock_timeout = '${pgLockTimeout}s'`,
    )
  return true
}
