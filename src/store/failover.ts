import pg from 'pg'
import { isUnavailable } from './circuit-breaker.ts'

/** Where a database is: a URL, or the socket of the embedded store. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'application_name'
>

interface Host {
  host: string
  port: number
}

/** A URL's hosts, and the same URL with only the first. */
interface Several {
  hosts: Host[]
  withOne: string
}

const DEFAULT_PORT = 5432
const CONNECT_TIMEOUT_MS = 5_000
const PROBE_TIMEOUT_MS = 2_000
/** A pool that reconnects opens many connections at once; they share one search. */
const CACHED_MS = 1_000
export const READ_ONLY = '25006'

/**
 * The class of a connection's clients. node-postgres supports one host. If DATABASE_URL names several, as libpq allows
 * (`postgres://u@a:5432,b:5432/db`), each client connects to the one that accepts writes, so that pools and listeners
 * follow a failover by reconnecting. A former leader is refused. The embedded store is one server and needs neither.
 */
export function clientClass(connection: Connection): typeof pg.Client {
  const url = connection.connectionString
  if (url === undefined) return pg.Client
  const several = readHosts(url)
  const findWritable = ({ hosts, withOne }: Several) =>
    searchOnce(url, () => hosts.map((each) => probe({ ...connection, connectionString: withOne }, each)))

  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(several ? { ...(typeof config === 'object' && config), connectionString: several.withOne } : config)
      this.on('error', ignoreError)
    }

    override connect(): Promise<this>
    override connect(callback: (err: Error) => void): void
    override connect(callback?: (err: Error) => void): Promise<this> | undefined {
      const open = async () => {
        if (several) Object.assign(this, await findWritable(several))
        try {
          await super.connect()
          await admit(this)
        } catch (error) {
          searches.delete(url) // the next client searches again
          destroyConnection(this)
          throw error
        }
        return this
      }
      const opening = open()
      if (!callback) return opening
      opening.then(() => (callback as (err: Error | null) => void)(null), callback)
    }
  } as typeof pg.Client
}

/** What a server says of itself. */
interface Server {
  readOnly: boolean
  /** The system identifier, which copies of a database share. */
  system: string
  /** It grows with every promotion; null on a replica. */
  timeline: number | null
  /** When it was started: of two servers never the same. */
  started: string
}

/** The leader of a system as last seen, and our connections to it. */
interface Leader extends Pick<Server, 'started'> {
  timeline: number
  clients: Set<pg.Client>
}

const leaders = new Map<string, Leader>()

/**
 * Finds the leader of the server's system. A server with a lower timeline than we have seen is a former leader that does
 * not know it yet, and what it stores is lost: it is refused, and connections to it are cut. A replica has no timeline.
 */
function leaderOf({ system, timeline, started }: Server): Leader | undefined {
  if (timeline === null) return undefined
  const known = leaders.get(system)
  if (known?.timeline === timeline) return known
  if (known && timeline < known.timeline)
    throw takesNoWrites(
      `the server is a former leader: it is on timeline ${timeline}, and ${known.timeline} was seen. If you restored an older copy, restart Rodado`,
    )
  const leader = { timeline, started, clients: new Set<pg.Client>() }
  leaders.set(system, leader)
  for (const client of known?.clients ?? []) destroyConnection(client)
  return leader
}

/** Keeps every connection of this process on one server: the pool writes where the listener listens. */
async function admit(client: pg.Client): Promise<void> {
  const server = await identify(client, CONNECT_TIMEOUT_MS)
  const leader = server && leaderOf(server)
  if (!leader) return
  if (leader.started !== server.started) {
    for (const each of leader.clients) destroyConnection(each)
    leader.started = server.started
  }
  leader.clients.add(client)
  client.once('end', () => leader.clients.delete(client))
}

const IS_READ_ONLY = `pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "readOnly"`

/** Undefined where the server does not say, as some managed ones. */
async function identify(client: pg.Client, timeoutMs: number): Promise<Server | undefined> {
  const text = `
    select ${IS_READ_ONLY},
      (select system_identifier::text from pg_control_system()) as system,
      case when not pg_is_in_recovery()
        then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline,
      extract(epoch from pg_postmaster_start_time())::text as started`
  try {
    const { rows } = await client.query<Server>({ text, query_timeout: timeoutMs } as pg.QueryConfig)
    return rows[0]
  } catch (error) {
    if (isUnavailable(error)) throw error
    return undefined
  }
}

/**
 * Destroys the socket, because `end` would wait for a server that may be frozen. The client then emits an error, by which
 * the pool removes it also while it is idle.
 */
export const destroyConnection = (client: pg.ClientBase): void => void (client as pg.Client).connection.stream.destroy()

/** An error with PostgreSQL's own code for a replica, so that it is answered with 503. */
const takesNoWrites = (message: string): Error => Object.assign(new Error(message), { code: READ_ONLY })

const searches = new Map<string, Promise<Host>>()

/** Pool, listener and migrations share a search that is running, or that has just found a host. */
function searchOnce(url: string, probeAll: () => Promise<Host>[]): Promise<Host> {
  const known = searches.get(url)
  if (known) return known
  const search = firstInOrder(probeAll())
  searches.set(url, search)
  const forget = () => searches.delete(url)
  search.then(() => setTimeout(forget, CACHED_MS).unref(), forget)
  return search
}

/** Probes all hosts at once and takes the first in the URL's order, so that all nodes write to the same one. */
async function firstInOrder(probes: Promise<Host>[]): Promise<Host> {
  for (const each of probes) each.catch(() => undefined) // a later one may fail unobserved
  const errors: unknown[] = []
  for (const each of probes) {
    try {
      return await each
    } catch (error) {
      errors.push(error)
    }
  }
  throw new AggregateError(errors, 'none of the servers takes writes')
}

/** pg emits `error` before our listener is attached if PostgreSQL accepts a connection and closes it at once. */
export const ignoreError = (): void => undefined

/** A client outside the pool. */
export function newClient(connection: Connection, more: pg.ClientConfig): pg.Client {
  const client = new (clientClass(connection))({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...more })
  return client.on('error', ignoreError)
}

/** Runs work on a connection of its own, which is closed afterwards. If it is lost, the running statement fails. */
export async function withClient<T>(
  connection: Connection,
  more: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = newClient(connection, more)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(ignoreError)
  }
}

/** The hosts of a URL that names several, and the same URL with only the first. */
export function readHosts(url: string | undefined): Several | undefined {
  const [, scheme, user = '', names = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url ?? '') ?? []
  if (!scheme) return undefined
  const [path = '', query = ''] = rest.split('?', 2)
  const options = new URLSearchParams(query)
  const listed = (name: string) => (options.get(name) ?? '').split(',').filter(Boolean)
  const hostsGiven = listed('host')
  const portsGiven = listed('port')
  const parts = hostsGiven.length > 0 ? hostsGiven : names.split(',')
  if (parts.length < 2) return undefined
  const hosts = parts.map((part, at) => {
    const [, host = part, port] = hostsGiven.length > 0 ? [] : (/^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(part) ?? [])
    const number = Number(port ?? portsGiven[at] ?? portsGiven[0] ?? DEFAULT_PORT)
    return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')), port: number }
  })
  options.delete('target_session_attrs') // we always search for a writable host
  options.set('host', hosts[0]?.host ?? '')
  options.set('port', String(hosts[0]?.port))
  return { hosts, withOne: `${scheme}${user || '@'}${path || '/'}?${options}`.replace('//@/', '///') }
}

/** Resolves to the host if it accepts writes. */
async function probe(connection: Connection, host: Host): Promise<Host> {
  const client = new pg.Client({
    ...connection,
    application_name: 'rodado probe',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  client.on('error', ignoreError)
  Object.assign(client, host)
  try {
    await client.connect()
    const server = await identify(client, PROBE_TIMEOUT_MS)
    const { readOnly } =
      server ?? (await client.query<Pick<Server, 'readOnly'>>(`select ${IS_READ_ONLY}`)).rows[0] ?? {}
    if (readOnly) throw takesNoWrites(`${host.host}:${host.port} takes no writes: it is a standby`)
    if (server) leaderOf(server)
    return host
  } finally {
    client.end().catch(ignoreError)
  }
}

/** The hosts of a PostgreSQL URL, without socket files. */
export function databaseHosts(url: string | undefined): Host[] {
  if (!url) return []
  const hosts = readHosts(url)?.hosts ?? [new pg.Client({ connectionString: url })]
  return hosts.map(({ host, port }) => ({ host, port })).filter(({ host }) => !host.startsWith('/'))
}
