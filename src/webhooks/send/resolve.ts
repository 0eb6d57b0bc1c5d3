import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

export interface ResolverOptions {
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
    const known = pending.get(name)
    if (known) return known
    const answer = query(name).finally(() => pending.delete(name))
    pending.set(name, answer)
    return answer
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
