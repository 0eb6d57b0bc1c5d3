import { type Request, startClient } from './client.ts'
import { bearer, type Credential, type Installation, SIGNATURES, signature } from './installation.ts'
import type { Core } from './machine.ts'
import { CPU, measure, runRounds } from './rounds.ts'
import { type Bench, installationsOf, type Result } from './scenario.ts'
import { type ServerProcess, type Started, withProcesses } from './server-process.ts'
import { startUsual } from './usual.ts'

const CONNECTIONS = 32
const TURN_MS = 350
const TURNS = 6
/** Until then Node is still compiling what runs often. */
const WARM_UP = { count: 5_000, leastMs: 1_500, mostMs: 8_000 }

/** A server under load. */
export interface Served {
  name: string
  server: ServerProcess
  installation: Installation
}

interface Comparison {
  name: string
  title: string
  /** Environment of our server. */
  environment?: Record<string, string>
  /** Whether the usual server is a baseline. */
  usual: boolean
  /** The requests of the next turn; each is sent once where they write. */
  requests(served: Served): Promise<Request[]>
  once?: boolean
}

/** Starts the servers, loads them in turns, and stops them. `check` may look at what was answered. */
export async function compareServers(
  bench: Bench,
  comparison: Comparison,
  check?: (answered: Map<Installation, number>) => Promise<void>,
): Promise<Result> {
  const { name, title, environment, requests, once = false } = comparison
  const installations = installationsOf(bench)
  const pinAll = (core: Core) => {
    for (const { pinPostgres } of installations) pinPostgres(core)
  }
  return withProcesses(async (started) => {
    const servers = await startServers(bench, started, { environment, usual: comparison.usual })
    const client = started(await startClient())
    const answered = new Map<Installation, number>()
    const entrants = servers.map((served) => ({
      name: served.name,
      async turn() {
        const { server, installation } = served
        const order = { port: server.port, connections: CONNECTIONS, durationMs: TURN_MS, once }
        const prepared = await requests(served)
        return measure({ server: server.cpuMicros, postgres: installation.postgresMicros }, async () => {
          const load = await client.load({ ...order, requests: prepared })
          answered.set(installation, (answered.get(installation) ?? 0) + load.answered)
          return { count: load.answered, elapsedMicros: load.elapsedMicros, clientMicros: load.cpuMicros }
        })
      },
    }))
    const options = { turns: TURNS, warmUp: WARM_UP, whenWarm: () => pinAll('server') }
    const contenders = await runRounds(bench, name, entrants, options)
    await check?.(answered)
    return { name, title, ratioOf: CPU, contenders }
  }).finally(() => pinAll('any'))
}

/** Starts ours, and the other checkout or the usual server beside it. */
export async function startServers(
  bench: Bench,
  started: Started,
  { environment, usual = true }: { environment?: Record<string, string> | undefined; usual?: boolean } = {},
): Promise<Served[]> {
  const servers: Served[] = []
  for (const installation of installationsOf(bench))
    servers.push({ name: installation.name, installation, server: started(await installation.start(environment)) })
  if (usual && !bench.other)
    servers.push({ name: 'usual', installation: bench.ours, server: started(await startUsual(bench.ours)) })
  return servers
}

/** GET requests as partners or browsers send them. */
export interface Gets {
  name: string
  title: string
  paths(installation: Installation): Promise<string[]>
  credential?: 'signature' | 'token' | ((served: Served) => Promise<Record<string, string>>)
  headers?: Record<string, string>
  /** The client has the answer already: 304. */
  conditional?: boolean
  expected?: number[]
  usual: boolean
}

/** Compares servers by GET requests. */
export function compareGets(bench: Bench, gets: Gets): Promise<Result> {
  const { name, title, usual } = gets
  const etags = new Map<string, string>()
  const requests = async (served: Served): Promise<Request[]> => {
    const made = await getRequests(gets, served)
    if (!gets.conditional) return made
    for (const request of made) {
      const known = `${served.name} ${request.path}`
      if (!etags.has(known)) etags.set(known, await etagOf(served, request))
      request.headers['if-none-match'] = etags.get(known) ?? ''
    }
    return made.map((request) => ({ ...request, expected: [304] }))
  }
  return compareServers(bench, { name, title, usual, requests })
}

async function etagOf({ server }: Served, { path, headers }: Request): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { 'accept-encoding': 'identity', ...headers },
  })
  return answer.headers.get('etag') ?? ''
}

/** The requests of a turn, signed now, so that no date grows old. */
export async function getRequests(gets: Omit<Gets, 'name' | 'title' | 'usual'>, served: Served): Promise<Request[]> {
  const paths = await gets.paths(served.installation)
  const credential = await credentialOf(gets, served)
  return Array.from({ length: Math.max(SIGNATURES, paths.length) }, (_, at) => {
    const path = paths[at % paths.length] as string
    const forwarded = `10.1.${(at >> 8) & 255}.${at & 255}` // pages are limited by address
    return {
      method: 'GET',
      path,
      headers: { accept: 'application/json', 'x-forwarded-for': forwarded, ...gets.headers, ...credential(path, at) },
      expected: gets.expected ?? [200],
    }
  })
}

async function credentialOf({ credential }: Pick<Gets, 'credential'>, served: Served): Promise<Credential> {
  if (typeof credential === 'function') {
    const headers = await credential(served)
    return () => headers
  }
  if (credential !== 'token') return signature(served.installation)
  // Only our own server gives tokens. It comes first; the others of its installation accept them.
  const token = tokens.get(served.installation) ?? bearer(served.installation, served.server.port)
  tokens.set(served.installation, token)
  return token
}

const tokens = new WeakMap<Installation, Promise<Credential>>()
