import type { Prepared } from './client/connection.ts'
import type { Client } from './client/process.ts'
import { busyMicros, machineCores } from './machine.ts'
import { type Comparison, type Round, SIDES, type Side } from './scenario.ts'
import type { ServerProcess } from './server-process.ts'

const ROUNDS = 3
/** A round changes sides often: a neighbour's work on the same machine comes and goes in less than a second. */
const SLICES = { count: 4, ms: 350 }
/** Of what takes milliseconds there are few in a slice: more of them tell as much. */
const SLICES_OF_READS = { count: 6, ms: 350 }
/** Of what is in memory there are thousands. */
const SLICES_OF_MEMORY = { count: 8, ms: 175 }
const CONNECTIONS = 32
const MANY = 1_000
/**
 * Before it is measured a side has answered so many and worked for a moment, or worked for so long: a server of which a few
 * hundred were asked is still being compiled, and that was a third of what a page seemed to cost.
 */
const WARM_REQUESTS = 5_000
const WARM_MS = { least: 1_500, most: 8_000 }

export type Servers = Record<'bare' | 'ours', ServerProcess> & { usual?: ServerProcess | undefined }

interface KeyedMutex {
  servers: Servers
  client: Client
  /** What that side is asked in a round. */
  prepare(side: Side): Promise<Prepared[]>
  /** What PostgreSQL has spent, where the servers ask it: it works on their core, and counts with whoever asks. */
  postgresMicros?: (() => number) | undefined
  /** Whether what is asked changes nothing, and can be asked again. */
  reads?: boolean | undefined
  /** Called before the first round: until then PostgreSQL has a core of its own, so that more is asked meanwhile. */
  whenWarm(): void
  progress(line: string): void
}

/** bare, usual, ours, bare, usual, ours …: what else the machine does then falls on all. */
export async function interleave(turns: KeyedMutex): Promise<Pick<Comparison, Side>> {
  const { servers, client, prepare, postgresMicros, progress } = turns
  const slices = slicesOf(turns)
  const sides = SIDES.filter((side) => servers[side])
  const rounds: Record<Side, Round[]> = { bare: [], usual: [], ours: [] }
  for (const side of sides) progress(`warm-up    ${side.padEnd(5)}  ${describe(await warmUp(side, turns))}`)
  turns.whenWarm()
  for (let round = 1; round <= ROUNDS; round++) {
    const requests: Partial<Record<Side, Prepared[]>> = {}
    for (const side of sides) requests[side] = await prepare(side)
    const spent: Record<Side, Spent[]> = { bare: [], usual: [], ours: [] }
    for (let slice = 0; slice < slices.count; slice++)
      for (const side of sides) {
        const server = servers[side] as ServerProcess
        const asked = share(requests[side] ?? [], slice % SLICES.count)
        spent[side].push(await measureSlice(server, client, asked, slices.ms, postgresMicros))
      }
    for (const side of sides) {
      const summed = sum(spent[side], postgresMicros !== undefined)
      rounds[side].push(summed)
      progress(`round ${round}/${ROUNDS}  ${side.padEnd(5)}  ${describe(summed)}`)
    }
  }
  const { usual, ...always } = rounds
  return servers.usual ? rounds : always
}

function slicesOf({ postgresMicros, reads }: KeyedMutex) {
  if (!postgresMicros) return SLICES_OF_MEMORY
  return reads ? SLICES_OF_READS : SLICES
}

/** What it costs until it is warm. */
async function warmUp(side: Side, { servers, client, prepare, postgresMicros }: KeyedMutex): Promise<Round> {
  const server = servers[side] as ServerProcess
  const began = performance.now()
  const spent: Spent[] = []
  const isWarm = () => {
    const worked = performance.now() - began
    const answered = spent.reduce((so, slice) => so + slice.answered, 0)
    return worked > WARM_MS.most || (worked > WARM_MS.least && answered >= WARM_REQUESTS)
  }
  do {
    const requests = await prepare(side)
    for (let slice = 0; slice < SLICES.count; slice++)
      spent.push(await measureSlice(server, client, share(requests, slice), SLICES.ms, postgresMicros))
  } while (!isWarm())
  return sum(spent, postgresMicros !== undefined)
}

/** Many are dealt out to the slices, so that none is asked twice in a round: what changes something does so once. */
function share(requests: Prepared[], slice: number): Prepared[] {
  const each = Math.floor(requests.length / SLICES.count)
  return each < MANY ? requests : requests.slice(slice * each, (slice + 1) * each)
}

/** What was spent between two moments at which the server was idle: on the requests counted, and on nothing else. */
export interface Spent {
  answered: number
  elapsedMicros: number
  serverMicros: number
  postgresMicros: number
  clientMicros: number
  machineMicros: number
}

async function measureSlice(
  server: ServerProcess,
  client: Client,
  requests: Prepared[],
  durationMs: number,
  postgresMicros: () => number = () => 0,
): Promise<Spent> {
  const machineBefore = busyMicros()
  const postgresBefore = postgresMicros()
  const serverBefore = await server.cpuMicros()
  const { answered, elapsedMicros, cpuMicros } = await client.load({
    port: server.port,
    connections: CONNECTIONS,
    durationMs,
    requests,
  })
  return {
    answered,
    elapsedMicros,
    serverMicros: (await server.cpuMicros()) - serverBefore,
    postgresMicros: postgresMicros() - postgresBefore,
    clientMicros: cpuMicros,
    machineMicros: busyMicros() - machineBefore,
  }
}

/** A round of its turns. */
export function sum(slices: Spent[], asksPostgres: boolean): Round {
  const total = (of: keyof Spent) => slices.reduce((so, slice) => so + slice[of], 0)
  const answered = total('answered')
  const elapsed = total('elapsedMicros')
  const spent = total('serverMicros') + total('postgresMicros')
  const others = total('machineMicros') - spent - total('clientMicros')
  return {
    answered,
    perSecond: answered / (elapsed / 1e6),
    cpuMicrosPerRequest: spent / answered,
    ...(asksPostgres && { postgresMicrosPerRequest: total('postgresMicros') / answered }),
    serverBusy: spent / elapsed,
    clientBusy: total('clientMicros') / elapsed,
    othersBusy: Math.max(0, others / elapsed / machineCores),
  }
}

/** A round in words, as progress shows it. */
export function describe({ cpuMicrosPerRequest, postgresMicrosPerRequest, perSecond }: Round): string {
  const postgres = postgresMicrosPerRequest === undefined ? '' : ` (PostgreSQL ${postgresMicrosPerRequest.toFixed(0)})`
  return `${cpuMicrosPerRequest.toFixed(1).padStart(7)} µs of CPU a request${postgres}, ${Math.round(perSecond).toLocaleString('en')} a second`
}
