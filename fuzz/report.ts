import { aligned } from '../drills/table.ts'
import type { Found, Totals } from './campaign.ts'
import { tooLittle } from './enough.ts'

/** What one worker did on one side of the server, so far or in all. */
export interface Report {
  side: string
  totals: Totals
}

/** What a run was to do, and how it ended. */
export interface Run {
  /** Requests by side. */
  asked: Record<string, number>
  seed: number
  seconds: number
  /** Whether every worker came to its end. */
  ended: boolean
}

/** What a run comes to, in figures that can be added to those of others. */
export interface RunSum {
  requests: number
  faults: number
  foreign: number
  announced: number
  serverErrors: number
  seed: number
  seconds: number
  perSecond: number
}

const LONGEST_CURL = 4_000
const SHOWN_LEAST = 3

/** Adds the workers' totals of a side. */
function sumOf(reports: readonly Report[], side: string): Totals {
  const sum: Totals = {
    ...{ requests: 0, byStatus: {}, taken: {}, refusals: 0, found: [] },
    ...{ announced: 0, serverErrors: 0 },
  }
  const addTo = (counts: Record<string, number>, more: Record<string, number>) => {
    for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count
  }
  for (const { totals } of reports.filter((each) => each.side === side)) {
    for (const name of ['requests', 'refusals', 'announced', 'serverErrors'] as const) sum[name] += totals[name]
    addTo(sum.byStatus, totals.byStatus)
    addTo(sum.taken, totals.taken)
    sum.found.push(...totals.found)
  }
  return sum
}

/** A run in words and figures; what it found is a fault, and so is what it asked too little of. */
export function summarise(
  reports: readonly Report[],
  { asked, seed, seconds, ended }: Run,
): { lines: string[]; sum: RunSum } {
  const sides = Object.keys(asked)
  const by = new Map(sides.map((side) => [side, sumOf(reports, side)]))
  const all = (count: (totals: Totals) => number) => [...by.values()].reduce((sum, totals) => sum + count(totals), 0)
  const row = (title: string, count: (totals: Totals) => number) => [title, ...[...by.values()].map(count)]
  const statuses = [...new Set([...by.values()].flatMap(({ byStatus }) => Object.keys(byStatus)))].sort()
  const found = [...by.values()].flatMap((totals) => totals.found)
  const faults = [
    ...[...by].flatMap(([side, totals]) => tooLittle(side, asked[side] ?? 0, totals).map((says) => `${side}: ${says}`)),
    ...(ended ? [] : ['a worker did not come to its end']),
  ]
  const least = [...by].map(([side, { taken }]) => {
    const counts = Object.entries(taken).sort(([, a], [, b]) => a - b)
    const shown = counts.slice(0, SHOWN_LEAST).map(([name, count]) => `${name} ${count}`)
    return `${side}: ${counts.length} took something, least often ${shown.join(', ')}`
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
    row('503 announced, with Retry-After', ({ announced }) => announced),
    row('any other 5xx', ({ serverErrors }) => serverErrors),
    row('faults', (totals) => totals.found.length),
  ])
  const words = `${sum.requests} requests in ${sum.seconds} s, ${sum.perSecond} a second; ${sum.faults} faults`
  return { lines: ['', table, ...found.map(describe), ...least, ...faults.map((says) => `FAULT: ${says}`), words], sum }
}

const describe = ({ kind, says, curl, seed: at }: Found): string =>
  `\n${kind}: ${says}\n  found under seed ${at}${curl ? `; the smallest that shows it:\n  ${curl.slice(0, LONGEST_CURL)}` : ''}`
