import type { Answer } from '../support/caller.ts'
import { identifiersOf } from './check.ts'
import { EXPECTED } from './expectations.ts'
import { callAbout, type MatrixFixture } from './fixture.ts'
import { situationsOf } from './matrix.ts'
import { ABSENT, type Records } from './records.ts'

/** How long a route takes to refuse a foreign and an absent record. */
export interface Timing {
  route: string
  who: string
  medianForeignMs: number
  medianAbsentMs: number
  /** The probability of such a difference by chance; a small one means that the two can be distinguished. */
  p: number
  /** The statuses of both; if they differ, they were not two refusals. */
  foreignStatuses: number[]
  absentStatuses: number[]
}

/** A caller and the records it names. */
type Ask = (records: Records) => Promise<Answer>

/** Every caller for which foreign and absent must look alike, on every route that names a record in its path. */
function comparisonsOf(fixture: MatrixFixture): { route: string; who: string; foreign: Records; ask: Ask }[] {
  return [...EXPECTED].flatMap(([route, { foreign, sitio }]) => {
    if (!foreign || identifiersOf(route).length === 0) return []
    if (sitio) {
      const ask: Ask = (records) => {
        const { body } = sitio({ aviso: Number(records.aviso), adminMail: records.mail })
        return callAbout(fixture.sitio, route, records, body ? { body } : {})
      }
      return [{ route, who: 'a site, of test mode', foreign: fixture.ofTest, ask }]
    }
    return situationsOf(route).map(({ name, who, about }) => ({
      route,
      who: name,
      foreign: fixture[about],
      ask: (records: Records) => callAbout(fixture[who], route, records),
    }))
  })
}

/** Alternates between both, so that other load on the machine affects both alike. */
export async function timeRefusals(fixture: MatrixFixture, rounds: number, goOn = () => true): Promise<Timing[]> {
  const timings: Timing[] = []
  for (const { route, who, foreign, ask } of comparisonsOf(fixture)) {
    const [ofForeign, ofAbsent]: [Measured, Measured] = [newMeasured(), newMeasured()]
    const measure = async (records: Records, into: Measured) => {
      const from = performance.now()
      const { status } = await ask(records)
      into.times.push(performance.now() - from)
      into.statuses.add(status)
    }
    for (let round = 0; round < rounds && goOn(); round++) {
      const turns: [Records, Measured][] = [
        [foreign, ofForeign],
        [ABSENT, ofAbsent],
      ]
      for (const [records, into] of round % 2 === 0 ? turns : turns.reverse()) await measure(records, into)
    }
    timings.push({
      route,
      who,
      medianForeignMs: median(ofForeign.times),
      medianAbsentMs: median(ofAbsent.times),
      p: mannWhitney(ofForeign.times, ofAbsent.times),
      foreignStatuses: [...ofForeign.statuses],
      absentStatuses: [...ofAbsent.statuses],
    })
  }
  return timings
}

interface Measured {
  times: number[]
  statuses: Set<number>
}
const newMeasured = (): Measured => ({ times: [], statuses: new Set() })

/** Comparisons with different statuses, whose times mean nothing. */
export const unlikeIn = (timings: Timing[]): string[] =>
  timings
    .filter(({ foreignStatuses, absentStatuses }) => new Set([...foreignStatuses, ...absentStatuses]).size !== 1)
    .map(
      ({ route, who, ...each }) =>
        `${route}, ${who}: ${each.foreignStatuses} of another’s, ${each.absentStatuses} of none`,
    )

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** The two-sided p of the Mann-Whitney test by its normal approximation, which needs about twenty values. */
function mannWhitney(a: number[], b: number[]): number {
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
