import type { Prepared } from './client/connection.ts'
import type { Client } from './client/process.ts'
import { busyMicros, machineCores } from './machine.ts'
import type { Round } from './scenario.ts'
import type { ServerProcess } from './server-process.ts'

const ROUNDS = 3
/** A round changes sides often: a neighbour's work on the same machine comes and goes in seconds. */
const SLICES = 10
const SLICE_MS = 400
const CONNECTIONS = 32

const WHICH = ['bare', 'ours'] as const
type Which = (typeof WHICH)[number]
type Servers = Record<Which, ServerProcess>

/** bare, ours, bare, ours …: what else the machine does then falls on both. */
export async function interleave(
  servers: Servers,
  client: Client,
  prepare: () => Promise<Prepared[]>,
  progress: (line: string) => void,
): Promise<Record<Which, Round[]>> {
  const rounds: Record<Which, Round[]> = { bare: [], ours: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const requests = await prepare()
    const spent: Record<Which, Spent[]> = { bare: [], ours: [] }
    for (let slice = 0; slice < SLICES; slice++) {
      for (const which of WHICH) spent[which].push(await measureSlice(servers[which], client, requests))
    }
    for (const which of WHICH) {
      const summed = sum(spent[which])
      if (round > 0) rounds[which].push(summed)
      progress(`${round === 0 ? 'warm-up  ' : `round ${round}/${ROUNDS}`}  ${which}  ${describe(summed)}`)
    }
  }
  return rounds
}

/** What was spent between two moments at which the server was idle: on the requests counted, and on nothing else. */
interface Spent {
  answered: number
  elapsedMicros: number
  serverMicros: number
  clientMicros: number
  machineMicros: number
}

async function measureSlice(server: ServerProcess, client: Client, requests: Prepared[]): Promise<Spent> {
  const machineBefore = busyMicros()
  const serverBefore = await server.cpuMicros()
  const { answered, elapsedMicros, cpuMicros } = await client.load({
    port: server.port,
    connections: CONNECTIONS,
    durationMs: SLICE_MS,
    requests,
  })
  return {
    answered,
    elapsedMicros,
    serverMicros: (await server.cpuMicros()) - serverBefore,
    clientMicros: cpuMicros,
    machineMicros: busyMicros() - machineBefore,
  }
}

function sum(slices: Spent[]): Round {
  const total = (of: keyof Spent) => slices.reduce((so, slice) => so + slice[of], 0)
  const answered = total('answered')
  const elapsed = total('elapsedMicros')
  const others = total('machineMicros') - total('serverMicros') - total('clientMicros')
  return {
    answered,
    perSecond: answered / (elapsed / 1e6),
    cpuMicrosPerRequest: total('serverMicros') / answered,
    serverBusy: total('serverMicros') / elapsed,
    clientBusy: total('clientMicros') / elapsed,
    othersBusy: Math.max(0, others / elapsed / machineCores),
  }
}

const describe = ({ cpuMicrosPerRequest, perSecond }: Round) =>
  `${cpuMicrosPerRequest.toFixed(1).padStart(6)} µs a request, ${Math.round(perSecond).toLocaleString('en')} a second`
