import { join } from 'node:path'
import { type Client, startClient } from '../client/process.ts'
import { targetsOf } from '../inquiries/page.ts'
import type { Installation } from '../installation.ts'
import { busyMicros } from '../machine.ts'
import { captureAnswers, prepareRequests } from '../requests.ts'
import { type Bench, median, type NodesPart, type Scenario, type Throughput } from '../scenario.ts'
import { type ServerProcess, startRodado } from '../server-process.ts'

const ROUNDS = 3
const ROUND_MS = 1_500
/** Until both have been asked for some thousand pages: before that they are still being compiled. */
const WARM_MS = 8_000
const CONNECTIONS = 32

/** What one node and two of them answer in turn, on one PostgreSQL and one machine, and what they are held up by. */
export const nodes: Scenario = {
  name: 'nodes',
  title: 'One node and two, on one PostgreSQL and one machine',
  seconds: 55,

  async measure(bench): Promise<Throughput> {
    const { installation, progress } = bench
    const pages = targetsOf((await bench.market()).dealers)
    const environment = { ...installation.environment, ROLE: 'api' }
    const started: ServerProcess[] = []
    const clients: Client[] = []
    try {
      for (const at of [0, 1]) {
        started.push(await startRodado(environment, join(installation.folder, `node${at}.log`), 'anywhere'))
        clients.push(startClient('anywhere'))
      }
      const parts: NodesPart[] = []
      for (const [title, targets] of [
        ['colour list', ['/v3/colores']],
        ['page of inquiries', pages],
      ] as const) {
        await load(bench, started, clients, targets, WARM_MS)
        const loads: Load[][] = [[], []]
        for (let round = 1; round <= ROUNDS; round++)
          for (const [at, each] of loads.entries())
            each.push(await load(bench, started.slice(0, at + 1), clients, targets, ROUND_MS))
        for (const [at, each] of loads.entries()) {
          const part = summed(`${title}, ${at === 0 ? 'one node' : 'two nodes'}`, at + 1, each)
          parts.push(part)
          progress(`nodes  ${part.title}  ${part.perSecond.map(Math.round).join(', ')} a second`)
        }
      }
      return { kind: 'throughput', name: 'nodes', title: nodes.title, parts }
    } finally {
      for (const each of [...clients, ...started]) await each.stop()
    }
  },
}

/** What was answered in one round. */
type Load = Omit<NodesPart, 'title' | 'count' | 'perSecond'> & { perSecond: number }

function summed(title: string, count: number, loads: Load[]): NodesPart {
  const middle = (of: (load: Load) => number) => median(loads.map(of))
  return {
    title,
    count,
    perSecond: loads.map(({ perSecond }) => perSecond),
    nodes: middle(({ nodes }) => nodes),
    postgres: middle(({ postgres }) => postgres),
    client: middle(({ client }) => client),
    others: middle(({ others }) => others),
    thread: { ran: middle(({ thread }) => thread.ran), waited: middle(({ thread }) => thread.waited) },
  }
}

/** Every node has a client of its own. */
async function load(
  { installation }: Bench,
  some: ServerProcess[],
  clients: Client[],
  targets: readonly string[],
  durationMs: number,
): Promise<Load> {
  const asked = { name: 'nodes', title: 'nodes', targets, target: 1 }
  const port = some[0]?.port ?? 0
  const answers = await captureAnswers(asked, installation, port)
  const requests = await prepareRequests(asked, answers, installation, port)
  const connections = CONNECTIONS / some.length
  const before = await spent(installation, some)
  const loads = await Promise.all(
    some.map((node, at) => (clients[at] as Client).load({ port: node.port, connections, durationMs, requests })),
  )
  const after = await spent(installation, some)
  const elapsed = Math.max(...loads.map(({ elapsedMicros }) => elapsedMicros))
  const cores = (of: keyof typeof after) => (after[of] - before[of]) / elapsed
  const busy = {
    nodes: cores('nodes'),
    postgres: cores('postgres'),
    client: total(loads.map(({ cpuMicros }) => cpuMicros)) / elapsed,
  }
  return {
    perSecond: total(loads.map(({ answered }) => answered)) / (elapsed / 1e6),
    ...busy,
    others: Math.max(0, cores('machine') - total(Object.values(busy))),
    thread: { ran: cores('ran') / some.length, waited: cores('waited') / some.length },
  }
}

async function spent({ postgresMicros }: Installation, some: ServerProcess[]) {
  const threads = await Promise.all(some.map((node) => node.thread()))
  return {
    nodes: total(await Promise.all(some.map((node) => node.cpuMicros()))),
    ran: total(threads.map(({ ran }) => ran)),
    waited: total(threads.map(({ waited }) => waited)),
    postgres: postgresMicros(),
    machine: busyMicros(),
  }
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
