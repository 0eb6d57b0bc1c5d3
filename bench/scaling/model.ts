import { type Comparison, median, type Result, type Round } from '../scenario.ts'

/** What one operation costs, in microseconds of CPU: of a node, and of PostgreSQL. */
export interface Cost {
  node: number
  postgres: number
}

/** What happens in a second of a busy hour, for each thousand agencies. */
export interface Mix {
  /** Lists and matches out of memory. */
  catalogue: number
  /** Pages of inquiries and single ones, read by partners. */
  page: number
  one: number
  /** Inquiries that come in, and deliveries of what they are told by. */
  intake: number
  delivery: number
  /** Rows of uploads. */
  row: number
}

export type Costs = Record<keyof Mix, Cost>

/** How a marketplace's thousand agencies work: partners poll every few minutes, dealers upload nightly, people ask. */
export const MIX: Mix = { catalogue: 10, page: 5, one: 2, intake: 0.1, delivery: 0.3, row: 20 }

/** What only the primary can do; the rest may be read from a replica. */
const WRITES: readonly (keyof Mix)[] = ['intake', 'delivery', 'row']
const OPERATIONS = Object.keys(MIX) as (keyof Mix)[]

/** Part of a core that is used at most, so that a burst finds room. */
export const FULL = 0.6
const MICROS = 1e6

/** Takes the costs out of a run of the bench: ours, the median of its rounds. */
export function costsOf(results: Result[]): Costs {
  const of = (name: string): Cost => {
    const result = results.find((each): each is Comparison => each.kind === 'comparison' && each.name === name)
    if (!result) throw new Error(`The run has no ${name}.`)
    const middle = (value: (round: Round) => number) => median(result.ours.map(value))
    const postgres = middle(({ postgresMicrosPerRequest = 0 }) => postgresMicrosPerRequest)
    return { node: middle(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest) - postgres, postgres }
  }
  return {
    catalogue: of('colores'),
    page: of('consultas'),
    one: of('consulta'),
    intake: of('intake'),
    delivery: of('deliveries-backlog'),
    row: of('lote-changed'),
  }
}

/** Cores that a thousand agencies keep busy, of nodes and of PostgreSQL, and of that what must be the primary's. */
export function busyCores(costs: Costs, mix: Mix = MIX) {
  const sum = (names: readonly (keyof Mix)[], of: keyof Cost) =>
    names.reduce((so, name) => so + mix[name] * costs[name][of], 0) / MICROS
  return {
    nodes: sum(OPERATIONS, 'node'),
    postgres: sum(OPERATIONS, 'postgres'),
    primary: sum(WRITES, 'postgres'),
  }
}

/** A way to set it up. */
export interface Step {
  name: string
  /** Cores of all nodes together; shared with PostgreSQL on one machine. */
  nodeCores: number
  /** Cores of the machine, or of each, that PostgreSQL has. */
  postgresCores: number
  shared?: true
  replicas?: number
  shards?: number
}

/** What a replica costs its primary, and each replica itself: the log is written once more and replayed. */
const REPLAY = 0.3 // of what the primary writes; replaying skips planning, parsing and checking

/** How many thousand agencies that holds, and which part is full first. */
export function holds(step: Step, costs: Costs, mix: Mix = MIX): { thousands: number; bound: string } {
  const { nodes, postgres, primary } = busyCores(costs, mix)
  const { nodeCores, postgresCores, replicas = 0, shards = 1 } = step
  if (step.shared) return { thousands: (nodeCores * FULL) / (nodes + postgres), bound: 'the machine' }
  const reads = postgres - primary
  const candidates: [number, string][] = [[(nodeCores * FULL) / nodes, 'the nodes']]
  if (replicas === 0) candidates.push([(shards * postgresCores * FULL) / postgres, 'PostgreSQL'])
  else {
    const each = shards * postgresCores * FULL
    candidates.push([each / primary, 'the primary'])
    candidates.push([each / (reads / replicas + primary * REPLAY), 'the replicas'])
  }
  const [thousands, bound] = candidates.reduce((least, next) => (next[0] < least[0] ? next : least))
  return { thousands, bound }
}

/** From one machine to many. */
export const STEPS: Step[] = [
  { name: 'one machine of 4 cores, everything on it', nodeCores: 4, postgresCores: 4, shared: true },
  { name: 'PostgreSQL apart on 8 cores, two nodes of 4', nodeCores: 8, postgresCores: 8 },
  { name: 'the same with 32 cores and 16 of nodes', nodeCores: 16, postgresCores: 32 },
  { name: 'a replica for reads, 32 of nodes', nodeCores: 32, postgresCores: 32, replicas: 1 },
  { name: 'three replicas, 64 of nodes', nodeCores: 64, postgresCores: 32, replicas: 3 },
  { name: 'four shards of 32 cores, 64 of nodes', nodeCores: 64, postgresCores: 32, shards: 4 },
  { name: 'sixteen shards, 256 of nodes', nodeCores: 256, postgresCores: 32, shards: 16 },
]
