import pg from 'pg'

/** Where a database is: a URL, or the socket of the embedded store. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'application_name'
>

export interface Host {
  host: string
  port: number
}

const DEFAULT_PORT = 5432
const CONNECT_TIMEOUT_MS = 5_000
const PROBE_TIMEOUT_MS = 2_000
/** A pool that reconnects opens many connections at once; they share one search. */
const CACHED_MS = 1_000
const READ_ONLY = '25006'

/**
 * The class of a connection's clients. node-postgres supports one host. If DATABASE_URL names several, as libpq allows
 * (`postgres://u@a:5432,b:5432/db`), each client connects to the one that accepts writes, so that pools and listeners
 * follow a failover by reconnecting.
 */
export function clientClass(connection: Connection): typeof pg.Client {
  const several = readHosts(connection.connectionString)
  if (!several) return pg.Client
  const { hosts, withOne } = several
  const url = connection.connectionString ?? ''
  const findWritable = () =>
    searchOnce(url, () => hosts.map((each) => probe({ ...connection, connectionString: withOne }, each)))

  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === 'object' && config), connectionString: withOne })
      this.on('error', ignoreError)
    }

    override connect(): Promise<this>
    override connect(callback: (err: Error) => void): void
    override connect(callback?: (err: Error) => void): Promise<this> | undefined {
      const connecting = findWritable().then(async (chosen) => {
        Object.assign(this, chosen)
        await super.connect().catch((error) => {
          searches.delete(url) // the next client searches again
          throw error
        })
        return this
      })
      if (!callback) return connecting
      connecting.then(() => (callback as (err: Error | null) => void)(null), callback)
    }
  } as typeof pg.Client
}

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
export function readHosts(url: string | undefined): { hosts: Host[]; withOne: string } | undefined {
  const [, scheme, user = '', names = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url ?? '') ?? []
  if (!scheme) return undefined
  const [path = '', query = ''] = rest.split('?', 2)
  const options = new URLSearchParams(query)
  const listed = (name: string) => (options.get(name) ?? '').split(',').filter(Boolean)
  const [hostsGiven, portsGiven] = [listed('host'), listed('port')]
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
  client.on('error', () => undefined)
  Object.assign(client, host)
  try {
    await client.connect()
    const { rows } = await client.query<{ readOnly: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "readOnly"`,
    )
    if (!rows[0]?.readOnly) return host
    throw Object.assign(new Error(`${host.host}:${host.port} takes no writes: it is a standby`), { code: READ_ONLY })
  } finally {
    client.end().catch(() => undefined)
  }
}

/** The hosts of a PostgreSQL URL, without socket files. */
export function databaseHosts(url: string | undefined): Host[] {
  if (!url) return []
  const hosts = readHosts(url)?.hosts ?? [new pg.Client({ connectionString: url })]
  return hosts.map(({ host, port }) => ({ host, port })).filter(({ host }) => !host.startsWith('/'))
}
