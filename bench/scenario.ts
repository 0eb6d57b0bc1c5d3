import type { Installation } from './installation.ts'
import type { SharedRows } from './shared-rows.ts'

/** One thing that is measured. */
export interface Scenario {
  /** What it is called on the command line. */
  name: string
  title: string
  /** About how long it takes, for whoever waits; a former run knows better. */
  seconds: number
  measure(bench: Bench): Promise<Result>
}

/** What a scenario is given to work with. */
export interface Bench extends SharedRows {
  /** Of all scenarios: none takes anything away that it did not bring. */
  installation: Installation
  /** Shows how far it has come. */
  progress(line: string): void
}

export type Result = Comparison | Durations | Pages | Memories | Throughput

/** What is compared, in the order of turns: the least possible, the usual way, and ours. */
export const SIDES = ['bare', 'usual', 'ours'] as const
export type Side = (typeof SIDES)[number]

/** Requests, ours beside the bare way and the usual one. */
export interface Comparison {
  kind: 'comparison'
  name: string
  title: string
  /** The size of one answer's body, on average. */
  bodyBytes: number
  bare: Round[]
  ours: Round[]
  /** Absent where the usual way would be another thing. */
  usual?: Round[]
  /** Bare CPU time per request over ours, or our rate over the bare one: what we want, at least. */
  target: number
  /** By rate where the bare side does without what ours has to do, such as PostgreSQL. */
  ratioOf?: 'rate'
  /** Where its processes are more than two, and go to whatever core is free. */
  anywhere?: true
}

/** What one server did in one round. */
export interface Round {
  answered: number
  perSecond: number
  /** The server's and PostgreSQL's together. */
  cpuMicrosPerRequest: number
  /** What of it PostgreSQL had, where it was asked. */
  postgresMicrosPerRequest?: number
  /** Shares of one core; PostgreSQL counts with the server where it works on the same. */
  serverBusy: number
  clientBusy: number
  /** The share of the whole machine that went to neither: noise. */
  othersBusy: number
}

/** Things that are waited for, and how long that took each time. */
export interface Durations {
  kind: 'durations'
  name: string
  title: string
  parts: { title: string; ms: number[] }[]
}

/** Pages for people, each beside the statements it asks. */
export interface Pages {
  kind: 'pages'
  name: string
  title: string
  /** How many times its own SQL a page may cost. */
  target: number
  pages: PageCost[]
}

/** CPU of our process and of PostgreSQL in one round after another, the page's and that of its statements alone. */
export interface PageCost {
  title: string
  statements: number
  pageMicros: number[]
  sqlMicros: number[]
}

/** What servers hold after a while of work, in bytes. */
export interface Memories {
  kind: 'memories'
  name: string
  title: string
  parts: { title: string; answered: number; before: number; after: number; most: number; heap: number }[]
}

/** What one node and several do, and what they are held up by. */
export interface Throughput {
  kind: 'throughput'
  name: string
  title: string
  parts: NodesPart[]
}

/** How many nodes, what they answered in each round, and the cores that were busy, `others` with what is none of ours. */
export interface NodesPart {
  title: string
  count: number
  perSecond: number[]
  nodes: number
  postgres: number
  client: number
  others: number
  /** Of all the time, how much a node's thread ran, and could have while others had the cores; the mean of the nodes. */
  thread: { ran: number; waited: number }
}

/** NaN where one of them was not measured: a figure that is missing is no small one. */
export function median(values: number[]): number {
  if (values.some(Number.isNaN)) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
