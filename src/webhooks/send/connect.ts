import { constants } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { getOrInsert } from '../../memoize.ts'
import { type CallbackRules, mayConnect, portOf } from '../callback-rules.ts'

/** Why nothing was sent or no response came; `explain.ts` has the Spanish text. */
export class NoResponse extends Error {
  readonly code: string

  constructor(code: 'blocked-address' | 'connect-timeout' | 'timeout' | 'stopped' | 'long-headers' | 'long-response') {
    super(code)
    this.code = code
  }
}

export interface ConnectorOptions {
  /** Where callbacks may lead. */
  rules: CallbackRules
  connectMs: number
  /** Certificates to trust instead of the usual ones. */
  ca?: string | undefined
}

/** A server may ask for new handshakes without end, and Node limits them only for servers. */
const TLS_OPTIONS = { secureOptions: constants.SSL_OP_NO_RENEGOTIATION }

/** One for each scheme and port; bounded, so that a partner who uses many ports fills no memory. */
const MAX_SERVICES = 64

/**
 * Connects only to permitted addresses. We resolve the name ourselves, try only its permitted addresses, and check the
 * address of the connected socket once more (docs/decisions/deliveries.md): a name server may answer differently the second time.
 */
export function openConnector({ rules, connectMs, ca }: ConnectorOptions): buildConnector.connector {
  const resolve = openResolver()
  const connectors = new LRUCache<string, buildConnector.connector>({ max: MAX_SERVICES })

  const lookupFor =
    (service: Service): LookupFunction =>
    (name, { all }, callback) => {
      resolve(name).then(
        (found) => {
          const open = found.filter((address) => mayConnect(address, service, rules))
          const [first] = open
          if (!first) return callback(new NoResponse('blocked-address'), '')
          if (!all) return callback(null, first, isIP(first))
          callback(
            null,
            open.map((address) => ({ address, family: isIP(address) })),
          )
        },
        (error) => callback(error, ''),
      )
    }

  /** Which addresses are permitted depends on the port, which Node does not pass to a lookup. */
  function connectorFor(service: Service): buildConnector.connector {
    const key = `${service.protocol}${service.port}`
    const build = () => buildConnector({ timeout: 0, lookup: lookupFor(service), ...TLS_OPTIONS, ...(ca && { ca }) })
    return getOrInsert<string, buildConnector.connector>(connectors, key, build)
  }

  return (options, callback) => {
    const { hostname, protocol } = options
    const service = { protocol, port: portOf(options) }
    let socket: { destroy(error: Error): void } | undefined
    let isOver = false
    const fail = (code: 'blocked-address' | 'connect-timeout') => end(new NoResponse(code), null)
    const end: buildConnector.Callback = (...ended) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      callback(...ended)
    }
    const timer = setTimeout(() => {
      if (socket) socket.destroy(new NoResponse('connect-timeout'))
      else fail('connect-timeout')
    }, connectMs)

    function open(): void {
      if (isOver) return
      if (isIP(hostname) && !mayConnect(hostname, service, rules)) return fail('blocked-address')
      socket = connectorFor(service)(options, (...ended) => {
        const [, connected] = ended
        if (!connected || mayConnect(connected.remoteAddress ?? '', service, rules)) return end(...ended)
        connected.destroy()
        fail('blocked-address')
      }) as typeof socket
    }
    // If one of our own names does not resolve, this address might be its address.
    rules.own.refresh(service.port).then(open, () => fail('blocked-address'))
  }
}

interface Service {
  protocol: string
  port: number
}

interface ResolverOptions {
  /** Other name servers than the system's. */
  servers?: readonly string[]
  hostsFile?: string
}

const TIMEOUT_MS = 2_000
const TRIES = 2
const HOSTS_FILE = '/etc/hosts'
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Resolves names. Node's own lookup blocks one of the four threads of the process while a name server is silent: a few
 * such names would stop all deliveries and password checks. So we query DNS directly, then read the hosts file. The
 * system resolver is used only if no foreign name server can be involved: for names of this network, which may need a
 * search domain, and if no name server is configured.
 */
export function openResolver({
  servers,
  hostsFile = HOSTS_FILE,
}: ResolverOptions = {}): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const pending = new Map<string, Promise<string[]>>()

  async function query(name: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    const error = errors.find(({ code }) => !UNKNOWN.has(code)) ?? errors[0]
    const fromHosts = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name)
    if (fromHosts.length > 0) return fromHosts
    // A refused connection means that this machine has no name server, which no partner can cause.
    const isSafe = error.code === 'ECONNREFUSED' || (error.code !== 'ETIMEOUT' && isOfThisNetwork(name))
    if (!isSafe) throw error
    return (await lookup(name, { all: true })).map(({ address }) => address)
  }

  /** Concurrent requests for a name share one query. */
  return (name) => {
    return getOrInsert(pending, name, () => query(name).finally(() => pending.delete(name)))
  }
}

const SLICE_BYTES = 1_024

/**
 * Hands undici what a socket received in small slices, each checked first, and nothing once the socket is closed. undici
 * makes an error for each header beyond its limit until the end of what it was handed: 64 KiB of small headers or trailers
 * would block the process for a third of a second.
 */
export function readInSlices(socket: Socket, check: (slice: Buffer) => void): void {
  const read = socket.read.bind(socket)
  socket.read = () => {
    if (socket.destroyed) return null
    const slice: Buffer | null = read(Math.min(SLICE_BYTES, socket.readableLength) || undefined)
    if (slice) check(slice)
    return socket.destroyed ? null : slice
  }
}

const plain = (name: string): string => name.replace(/\.$/, '').toLowerCase()

const isOfThisNetwork = (name: string): boolean => !plain(name).includes('.') || plain(name).endsWith('.localhost')

/** The addresses of a name in a hosts file: each line is an address and its names (hosts(5)). */
function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.map(plain).includes(plain(name)) && isIP(address) ? [address] : []
  })
}
