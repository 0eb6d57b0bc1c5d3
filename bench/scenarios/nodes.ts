import { join } from 'node:path'
import { type Client, startClient } from '../client/process.ts'
import { targetsOf } from '../inquiries/page.ts'
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

/** What was answered, and the cores that were busy. */
interface Load {
  perSecond: number
  nodes: number
  postgres: number
  client: number
  waited: number
}

function summed(title: string, count: number, loads: Load[]): NodesPart {
  const middle = (of: keyof Load) => median(loads.map((load) => load[of]))
  const busy = { nodes: middle('nodes'), postgres: middle('postgres'), client: middle('client') }
  return { title, count, perSecond: loads.map(({ perSecond }) => perSecond), ...busy, waited: middle('waited') }
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
  const total = async (of: 'cpuMicros' | 'waitedMicros') => {
    let micros = 0
    for (const node of some) micros += await node[of]()
    return micros
  }
  const spent = async () => ({
    nodes: await total('cpuMicros'),
    waited: await total('waitedMicros'),
    postgres: installation.postgresMicros(),
  })
  const port = some[0]?.port ?? 0
  const answers = await captureAnswers(asked, installation, port)
  const requests = await prepareRequests(asked, answers, installation, port)
  const before = await spent()
  const connections = CONNECTIONS / some.length
  const loads = await Promise.all(
    some.map((node, at) => (clients[at] as Client).load({ port: node.port, connections, durationMs, requests })),
  )
  const after = await spent()
  const elapsed = Math.max(...loads.map(({ elapsedMicros }) => elapsedMicros))
  return {
    perSecond: loads.reduce((sum, { answered }) => sum + answered, 0) / (elapsed / 1e6),
    nodes: (after.nodes - before.nodes) / elapsed,
    waited: (after.waited - before.waited) / elapsed,
    postgres: (after.postgres - before.postgres) / elapsed,
    client: loads.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / elapsed,
  }
}
