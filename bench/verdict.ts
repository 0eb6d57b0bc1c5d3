import { type Comparison, median, type PageCost, type Pages, type Result, type Round } from './scenario.ts'

/** Every endpoint is to be so many times as cheap, or as quick, as the usual way of writing it. */
export const TIMES_USUAL = 1.5

/** One thing that was wished for, and whether it came. */
export interface Verdict {
  name: string
  what: string
  /** At least, or at most where it is a cost. */
  wanted: string
  got: number
  met: boolean
}

/** Ours beside another side, round by round: its CPU time over ours, or our rate over its. */
export function ratios({ ours, ratioOf }: Comparison, other: Round[]): number[] {
  return ours.map((round, at) =>
    ratioOf === 'rate'
      ? round.perSecond / (other[at]?.perSecond ?? Number.NaN)
      : (other[at]?.cpuMicrosPerRequest ?? Number.NaN) / round.cpuMicrosPerRequest,
  )
}

/** What was wished for, of each comparison: how near it is to the bare side, and how far from the usual way. */
export function verdicts(results: Result[]): Verdict[] {
  return results.flatMap((result) => {
    if (result.kind === 'pages') return [judgePages(result)]
    if (result.kind !== 'comparison') return []
    const { name, bare, usual, target, ratioOf } = result
    const judge = (what: string, wanted: number, got: number): Verdict => ({
      name,
      what,
      wanted: `≥ ${wanted}`,
      got,
      met: got >= wanted,
    })
    const measure = ratioOf === 'rate' ? 'rate' : 'CPU'
    return [
      judge(`of the bare side (${measure})`, target, median(ratios(result, bare))),
      ...(usual ? [judge(`times the usual way (${measure})`, TIMES_USUAL, median(ratios(result, usual)))] : []),
    ]
  })
}

/** Of pages the dearest counts, or one that was not measured. */
function judgePages({ name, target, pages }: Pages): Verdict {
  const cost = ({ pageMicros, sqlMicros }: PageCost) =>
    median(pageMicros.map((micros, round) => micros / (sqlMicros[round] ?? Number.NaN)))
  const costs = pages.map((page) => ({ title: page.title, cost: cost(page) }))
  const dearest = costs.find(({ cost }) => Number.isNaN(cost)) ??
    costs.toSorted((a, b) => b.cost - a.cost)[0] ?? { title: 'none', cost: Number.NaN }
  const what = `times its SQL (${dearest.title}, the dearest of ${pages.length})`
  return { name, what, wanted: `≤ ${target}`, got: dearest.cost, met: dearest.cost <= target }
}

/** Everything is to be measured within so many minutes. */
const MINUTES = 15

/** Of a run of everything: whether it took as long as somebody waits. */
export function judgeTime(seconds: number): Verdict {
  const got = seconds / 60
  return { name: 'bench', what: 'minutes for all of it', wanted: `≤ ${MINUTES}`, got, met: got <= MINUTES }
}

/** The last lines of a run. */
export function verdictWords(judged: Verdict[], failures: string[]): string {
  const line = ({ name, what, wanted, got, met }: Verdict) =>
    `${met ? 'met    ' : 'NOT MET'}  ${name.padEnd(18)}  ${got.toFixed(2).padStart(6)} ${what}, wanted ${wanted}`
  const missed = judged.filter(({ met }) => !met).length
  const last =
    missed + failures.length === 0
      ? 'All that was wanted was met.'
      : `${missed} not met, ${failures.length} not measured.`
  return [...judged.map(line), ...failures.map((failure) => `FAILED   ${failure}`), last].join('\n')
}
