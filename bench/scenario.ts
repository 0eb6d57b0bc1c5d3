import type { Installation } from './installation.ts'

/** One thing that is measured. */
export interface Scenario {
  /** What it is called on the command line. */
  name: string
  title: string
  measure(bench: Bench): Promise<Result>
}

/** What a scenario is given to work with. */
export interface Bench {
  installation: Installation
  /** Shows how far it has come. */
  progress(line: string): void
}

export type Result = Comparison | Durations | Pages

/** Requests over HTTP, ours beside the bare server. */
export interface Comparison {
  kind: 'comparison'
  name: string
  title: string
  /** The size of one answer's body, on average. */
  bodyBytes: number
  bare: Round[]
  ours: Round[]
  /** Bare CPU time per request over ours, or our rate over the bare one: what we want, at least. */
  target: number
  /** By rate where PostgreSQL does the work and shares the servers' core: its time counts on both sides. */
  ratioOf?: 'rate'
}

/** What one server did in one round. */
export interface Round {
  answered: number
  perSecond: number
  cpuMicrosPerRequest: number
  /** Shares of one core. */
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

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
