import pg from 'pg'
import { isUnavailable } from '../circuit-breaker.ts'
import { PORT } from './settings.ts'

export type Purpose = 'serve' | 'command'

/** The first half of our advisory locks' keys: "roda" in ASCII. */
const LOCKS = 0x72_6f_64_61
/** Held by the server that owns the store. */
const SERVE = 1
/** Shared by all processes that use the store. One that can lock it exclusively is the last, and may stop PostgreSQL. */
const USE = 2
/** Held while the role and the database are created. */
const PREPARE = 3

const ANSWER_TIMEOUT_MS = 3_000

/** A connection, or: no server, one that is starting or stopping, or no answer. */
type ConnectResult = pg.Client | 'absent' | 'busy' | 'silent'

/** Connects to the embedded PostgreSQL; the connection holds our locks for as long as it is open. */
export async function connect(host: string, purpose: Purpose): Promise<ConnectResult> {
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
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
    if (message.startsWith('timeout')) return 'silent'
    if (isUnavailable(error)) return 'busy'
    throw new Error(`The embedded PostgreSQL refuses us: ${message}`, { cause: error })
  }
}

/** Registers as a user of the store; false while the last user is stopping it. */
export const takeUse = (client: pg.Client): Promise<boolean> => lock(client, 'pg_try_advisory_lock_shared', USE)

/** True if nobody else uses the store; nobody can start to from then on. */
export const takeUseAlone = (client: pg.Client): Promise<boolean> => lock(client, 'pg_try_advisory_lock', USE)

/** Registers as the server that owns the store; false if there is another. */
export const takeServe = (client: pg.Client): Promise<boolean> => lock(client, 'pg_try_advisory_lock', SERVE)

/** The application name of the owner: `rodado serve pid 123`. */
export async function currentServer(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [LOCKS, SERVE],
  )
  return rows[0]?.name
}

/** Creates the server's database and its role, which is not a superuser: a superuser's query can act as PostgreSQL's system user. */
export async function prepareDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select from pg_database where datname = 'rodado'`)
  if (rows.length > 0) return
  await client.query('select pg_advisory_lock($1, $2)', [LOCKS, PREPARE])
  try {
    const { rows: roles } = await client.query(`select from pg_roles where rolname = 'rodado'`)
    if (roles.length === 0) await client.query('create role rodado login')
    const { rows: databases } = await client.query(`select from pg_database where datname = 'rodado'`)
    if (databases.length === 0) await client.query('create database rodado owner rodado template template0')
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [LOCKS, PREPARE])
  }
}

async function lock(client: pg.Client, call: string, key: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${call}($1::int, $2::int) as taken`, [LOCKS, key])
  return rows[0]?.taken === true
}
