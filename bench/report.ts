import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { plotsOf } from './report/plots.ts'
import { aligned, markdown, type Titled, tablesOf } from './report/tables.ts'
import type { Result } from './scenario.ts'
import { judgeTime, type Verdict, verdicts } from './verdict.ts'

/** All of a run, as it is stored. */
export interface Report {
  date: string
  commit: string
  machine: Machine
  results: Result[]
  /** Scenarios that could not be measured, and why. */
  failures: string[]
  /** How long each took. */
  seconds: Record<string, number>
  /** How long it took from the command to here, the build included; runs before have only what each took. */
  wholeSeconds?: number
}

const secondsOf = ({ seconds, wholeSeconds }: Report): number =>
  wholeSeconds ?? Object.values(seconds).reduce((sum, each) => sum + each, 0)

/** What is wished for of a run of everything: of each scenario, and of the time it took. */
export const judgeWhole = (report: Report): Verdict[] => [...verdicts(report.results), judgeTime(secondsOf(report))]

const PLOTS = 'plots'

/** Puts the tables and pictures of a run into the document, whose other words are left as they are. */
export function publish(report: Report, docs: string): void {
  mkdirSync(join(docs, PLOTS), { recursive: true })
  for (const { file, svg } of plotsOf(report.results)) writeFileSync(join(docs, PLOTS, file), svg)
  writeBetween(join(docs, 'benchmarks.md'), 'npm run bench', markdownReport(report))
}

/** Replaces what stands between the marks of that command. */
export function writeBetween(file: string, command: string, words: string): void {
  const [begin, end] = ['begin', 'end'].map((which) => `<!-- written by ${command}: ${which} -->`) as [string, string]
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has lost the marks between which ${command} writes.`)
  writeFileSync(file, `${text.slice(0, from)}${begin}\n\n${words}\n\n${text.slice(to)}`)
}

export function markdownReport(report: Report): string {
  const plots = plotsOf(report.results).map(({ file, alt }) => `![${alt}](${PLOTS}/${file})`)
  const [first = [], rest = []] = parts(tablesOf(report.results, report.machine))
  const section = ({ title, rows }: Titled) => `### ${title}\n\n${markdown(rows)}`
  return [
    describeRun(report),
    verdictText(report),
    ...first.map(section),
    ...plots,
    ...rest.map(section),
    ...report.failures.map((failure) => `Not measured: ${failure}`),
  ].join('\n\n')
}

/** What is compared comes first, then the pictures, then the rest. */
const parts = (tables: Titled[]): Titled[][] => [
  tables.filter(({ name }) => name === undefined),
  tables.filter(({ name }) => name !== undefined),
]

export function terminalReport(report: Report): string {
  return [
    describeRun(report),
    ...tablesOf(report.results, report.machine).map(({ title, rows }) => `${title}\n\n${aligned(rows)}`),
    ...report.failures.map((failure) => `Not measured: ${failure}`),
    '',
  ].join('\n\n')
}

/** A scenario that failed has wishes that nobody judged: whoever reads only the first line is told so there. */
function verdictText(report: Report): string {
  const judged = judgeWhole(report)
  const missed = judged.filter(({ met }) => !met)
  const list = missed.map(({ name, what, got, wanted }) => `${name}: ${got.toFixed(2)} ${what} instead of ${wanted}`)
  const met = `${judged.length - missed.length} of ${judged.length}`
  const { failures, results } = report
  const names = failures.map((failure) => failure.split(':')[0]).join(', ')
  const words =
    failures.length === 0
      ? `${met} wishes were met.`
      : `${failures.length} of ${failures.length + results.length} scenarios could not be measured (${names}); of what is wished of the rest ${met} was met.`
  return missed.length > 0 ? `${words} Not met: ${list.join('; ')}.` : words
}

function describeRun(report: Report): string {
  const { date, commit, machine } = report
  const { processor, cores, memoryGiB, system, node, pinned, priority } = machine
  const apart = pinned ? 'servers on one core, client on another' : 'servers and client not pinned to cores'
  const minutes = secondsOf(report) / 60
  return `\`npm run bench\`, ${date}, ${minutes.toFixed(1)} minutes, commit ${commit}, Node ${node}, ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}; ${apart}${priority === 0 ? '' : `, niceness ${priority}`}.`
}
