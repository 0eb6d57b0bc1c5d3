import { aligned } from '../drills/table.ts'
import { type Found, noTotals, type Totals } from './campaign.ts'
import { coverageGaps } from './coverage.ts'

/** The totals of one worker for one surface. */
export interface Report {
  side: string
  totals: Totals
}

/** The plan and the end of a run. */
interface Run {
  /** Requests by surface. */
  planned: Record<string, number>
  seed: number
  seconds: number
  /** True if every worker finished. */
  ended: boolean
}

/** The totals of a run. `npm run trust` adds them up. */
interface RunSum {
  requests: number
  faults: number
  foreign: number
  announced: number
  serverErrors: number
  seed: number
  seconds: number
  perSecond: number
}

const MAX_CURL_LENGTH = 4_000
const SHOWN_LEAST = 3

/** Adds up the workers' totals for a surface. */
function sumOf(reports: readonly Report[], side: string): Totals {
  const sum = noTotals()
  const addTo = (counts: Record<string, number>, more: Record<string, number>) => {
    for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count
  }
  for (const { totals } of reports.filter((each) => each.side === side)) {
    for (const name of ['requests', 'refusals', 'announced', 'serverErrors'] as const) sum[name] += totals[name]
    addTo(sum.byStatus, totals.byStatus)
    addTo(sum.accepted, totals.accepted)
    sum.found.push(...totals.found)
  }
  return sum
}

/** The report of a run. Every finding is a fault, and so is every gap in its coverage. */
export function summarise(
  reports: readonly Report[],
  { planned, seed, seconds, ended }: Run,
): { lines: string[]; sum: RunSum } {
  const sides = Object.keys(planned)
  const by = new Map(sides.map((side) => [side, sumOf(reports, side)]))
  const all = (count: (totals: Totals) => number) => [...by.values()].reduce((sum, totals) => sum + count(totals), 0)
  const row = (title: string, count: (totals: Totals) => number) => [title, ...[...by.values()].map(count)]
  const statuses = [...new Set([...by.values()].flatMap(({ byStatus }) => Object.keys(byStatus)))].sort()
  const found = [...by.values()].flatMap((totals) => totals.found)
  const faults = [
    ...[...by].flatMap(([side, totals]) =>
      coverageGaps(side, planned[side] ?? 0, totals).map((message) => `${side}: ${message}`),
    ),
    ...(ended ? [] : ['a worker did not finish']),
  ]
  const least = [...by].map(([side, { accepted }]) => {
    const counts = Object.entries(accepted).sort(([, a], [, b]) => a - b)
    const shown = counts.slice(0, SHOWN_LEAST).map(([name, count]) => `${name} ${count}`)
    return `${side}: ${counts.length} accepted requests, fewest ${shown.join(', ')}`
  })
  const sum: RunSum = {
    requests: all(({ requests }) => requests),
    faults: found.length + faults.length,
    foreign: found.filter(({ kind }) => kind === 'foreign').length,
    announced: all(({ announced }) => announced),
    serverErrors: all(({ serverErrors }) => serverErrors),
    seed,
    seconds: Math.round(seconds),
    perSecond: Math.round(all(({ requests }) => requests) / seconds),
  }
  const table = aligned([
    ['', ...sides],
    row('requests', ({ requests }) => requests),
    row('refused or cut off, nothing written', ({ refusals }) => refusals),
    ...statuses.map((status) =>
      row(status === '0' ? 'cut off, no answer due' : status, ({ byStatus }) => byStatus[status] ?? 0),
    ),
    row('503 with Retry-After', ({ announced }) => announced),
    row('any other 5xx', ({ serverErrors }) => serverErrors),
    row('faults', (totals) => totals.found.length),
  ])
  const summary = `${sum.requests} requests in ${sum.seconds} s, ${sum.perSecond} a second; ${sum.faults} faults`
  return {
    lines: ['', table, ...found.map(describe), ...least, ...faults.map((message) => `FAULT: ${message}`), summary],
    sum,
  }
}

const describe = ({ kind, message, curl, seed: at }: Found): string =>
  `\n${kind}: ${message}\n  found under seed ${at}${curl ? `; the smallest request that shows it:\n  ${curl.slice(0, MAX_CURL_LENGTH)}` : ''}`
