import type { Defer } from '../drills/cleanup.ts'
import type { Installation } from './installation.ts'

/** One thing that is measured. */
export interface Scenario {
  /** What it is called on the command line. */
  name: string
  title: string
  run(bench: Bench): Promise<Result>
}

/** What a scenario works with. */
export interface Bench {
  ours: Installation
  /** With --compare: an installation of the other checkout. It takes the place of the baselines. */
  other?: Installation
  /** How often everything is measured, after a warm-up. */
  rounds: number
  /** Inquiries, and deliveries in the log. */
  rows: number
  /** Fewer rows and short rounds, to see that a scenario works. */
  quick: boolean
  progress(line: string): unknown
  defer: Defer
}

/** Ours, and the other checkout where there is one. */
export const installationsOf = ({ ours, other }: Bench): Installation[] => (other ? [ours, other] : [ours])

/** What was measured: a table with a row for each contender. */
export interface Result {
  name: string
  title: string
  /** The column that ratios are made of; the first contender is 1. */
  ratioOf: string
  contenders: Contender[]
}

export interface Contender {
  name: string
  /** By the heading of the column: a value for each round. */
  columns: Record<string, number[]>
}

/** NaN where a value is missing: a missing value must not look like a small one. */
export function median(values: number[]): number {
  if (values.some(Number.isNaN)) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
