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

/** What each operation that only a primary can do has of PostgreSQL's time for all of them, the most first. */
export function sharesOfWrites(costs: Costs, mix: Mix = MIX): { name: keyof Mix; share: number }[] {
  const spent = (name: keyof Mix) => mix[name] * costs[name].postgres
  const all = WRITES.reduce((sum, name) => sum + spent(name), 0)
  return WRITES.map((name) => ({ name, share: spent(name) / all })).sort((a, b) => b.share - a.share)
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
  /** Its number in docs/scaling.md. */
  stage: number
  name: string
  /** Which row it changes in one thing, where that is not the one before. */
  from?: string
  /** Cores of all nodes together; shared with PostgreSQL on one machine. Absent: as many as it takes. */
  nodeCores?: number
  /** Cores of the machine, or of each, that PostgreSQL has. */
  postgresCores: number
  shared?: true
  replicas?: number
  /** Whether the primary takes its share of what may be read from a replica, as it always does without any. */
  primaryReads?: true
  shards?: number
}

/** What a setting holds, in thousands of agencies, which part is full first, and what the nodes need for it. */
export interface Held {
  thousands: number
  bound: string
  nodeCores: number
}

/** What replaying the log costs each replica, of what the primary spends on writing: no planning, parsing or checking. */
const REPLAY = 0.3

/** How far that goes. Shards are taken to be even, and no operation of the mix asks more than one. */
export function holds(step: Step, costs: Costs, mix: Mix = MIX): Held {
  const { nodes, postgres, primary } = busyCores(costs, mix)
  const { nodeCores = Number.POSITIVE_INFINITY, postgresCores, replicas = 0, shards = 1 } = step
  const machine = shards * postgresCores * FULL
  const replay = primary * REPLAY
  const limits: [number, string][] = []
  if (step.shared) limits.push([machine / (nodes + postgres), 'the machine'])
  else limits.push([(nodeCores * FULL) / nodes, 'the nodes'])
  if (replicas === 0) limits.push([machine / postgres, 'PostgreSQL'])
  else limits.push([machine / primary, 'the primary, by writes alone'])
  if (replicas > 0 && step.primaryReads)
    limits.push([(machine * (replicas + 1)) / (postgres + replay * replicas), 'primary and replicas'])
  else if (replicas > 0) limits.push([machine / ((postgres - primary) / replicas + replay), 'the replicas'])
  const [thousands, bound] = limits.reduce((least, next) => (next[0] < least[0] ? next : least))
  return { thousands, bound, nodeCores: (thousands * nodes) / FULL }
}
