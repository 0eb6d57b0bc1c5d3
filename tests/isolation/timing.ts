import { EXPECTED } from './expectations.ts'
import { askAbout, type MatrixStage } from './stage.ts'
import { ABSENT, type Things } from './things.ts'

/** How long a route takes to say no: to what is another's, and to what is not there. */
export interface Timing {
  route: string
  medianForeignMs: number
  medianAbsentMs: number
  /** How likely a difference as large comes by chance; small means that they can be told apart. */
  p: number
}

const ROUNDS = 300

/** Asks both in turn, so that whatever else the machine does falls on both alike. */
export async function timeRefusals(stage: MatrixStage, rounds = ROUNDS): Promise<Timing[]> {
  const routes = [...EXPECTED].filter(
    ([route, { foreign, sitio }]) => route.includes(':adminMail') && foreign && !sitio,
  )
  const timings: Timing[] = []
  for (const [route] of routes) {
    const measure = async (things: Things) => {
      const from = performance.now()
      await askAbout(stage.other, route, things)
      return performance.now() - from
    }
    const [foreign, absent]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0
      if (first) foreign.push(await measure(stage.theirs))
      absent.push(await measure(ABSENT))
      if (!first) foreign.push(await measure(stage.theirs))
    }
    timings.push({
      route,
      medianForeignMs: median(foreign),
      medianAbsentMs: median(absent),
      p: mannWhitney(foreign, absent),
    })
  }
  return timings
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** The two-sided p of the Mann-Whitney test, by its normal approximation, which is close from twenty values on. */
export function mannWhitney(a: number[], b: number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))]
  all.sort((one, two) => one.value - two.value)
  const ranks = all.reduce((sum, { isA }, at) => sum + (isA ? at + 1 : 0), 0)
  const u = ranks - (a.length * (a.length + 1)) / 2
  const mean = (a.length * b.length) / 2
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return 2 * (1 - normal(Math.abs(u - mean) / deviation))
}

/** The normal distribution up to z (Abramowitz and Stegun, 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}
