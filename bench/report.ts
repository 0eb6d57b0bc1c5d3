import { readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from './machine.ts'
import {
  type Comparison,
  type Durations,
  median,
  type PageCost,
  type Pages,
  type Result,
  type Round,
} from './scenario.ts'

/** All of a run, as it is stored. */
export interface Report {
  date: string
  commit: string
  machine: Machine
  results: Result[]
  /** Scenarios that could not be measured, and why. */
  failures: string[]
}

const BEGIN = '<!-- written by npm run bench: begin -->'
const END = '<!-- written by npm run bench: end -->'
const SATURATED = 0.9 // of a core: the rest is the kernel's, or somebody else's

/** Puts the tables of a run into the document, whose other words are left as they are. */
export function publish(report: Report, file: string): void {
  const text = readFileSync(file, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${file} has lost the marks between which the tables stand.`)
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n\n${markdownReport(report)}\n\n${text.slice(end)}`)
}

export function markdownReport(report: Report): string {
  const { comparisons, durations } = tables(report.results)
  return [
    `${describeRun(report)}\n`,
    ...(comparisons.length > 1 ? [markdown(comparisons)] : []),
    ...durations.map(({ title, rows }) => `**${title}**\n\n${markdown(rows)}`),
    ...report.failures.map((failure) => `Not measured: ${failure}`),
  ].join('\n\n')
}

export function terminalReport(report: Report): string {
  const { comparisons, durations } = tables(report.results)
  return [
    describeRun(report),
    ...(comparisons.length > 1 ? [aligned(comparisons)] : []),
    ...durations.map(({ title, rows }) => `${title}\n\n${aligned(rows)}`),
    ...report.failures.map((failure) => `Not measured: ${failure}`),
    '',
  ].join('\n\n')
}

function describeRun({ date, commit, machine }: Report): string {
  const { processor, cores, memoryGiB, system, node, pinned, priority } = machine
  const apart = pinned ? 'servers on one core, client on another' : 'servers and client not pinned to cores'
  return `\`npm run bench\`, ${date}, commit ${commit}, Node ${node}, ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}; ${apart}${priority === 0 ? '' : `, niceness ${priority}`}.`
}

type Table = string[][]

function tables(results: Result[]) {
  const compared = results.filter((result): result is Comparison => result.kind === 'comparison')
  const timed = results.filter((result): result is Durations => result.kind === 'durations')
  const paged = results.filter((result): result is Pages => result.kind === 'pages')
  const comparisons: Table = [COMPARISON_HEAD, ...compared.map(comparisonRow)]
  return {
    comparisons,
    durations: [
      ...timed.map(({ title, parts }) => ({ title, rows: [DURATION_HEAD, ...parts.map(durationRow)] as Table })),
      ...paged.map(({ title, target, pages }) => ({
        title: `${title} (wanted: ≤ ${target})`,
        rows: [PAGES_HEAD, ...pages.map(pageRow)] as Table,
      })),
    ],
  }
}

const COMPARISON_HEAD = [
  'scenario',
  'body',
  'bare, CPU µs',
  'ours, CPU µs',
  'ratio',
  'in rounds',
  'wanted',
  'bare, a second',
  'ours, a second',
  'saturated',
  'other load',
]
const PAGES_HEAD = ['', 'statements', 'its SQL, CPU µs', 'page, CPU µs', 'times its SQL', 'in rounds']
const DURATION_HEAD = ['', 'median, ms', 'from', 'to']

function comparisonRow({ title, bodyBytes, bare, ours, target, ratioOf }: Comparison): string[] {
  const micros = (rounds: Round[]) => median(rounds.map((round) => round.cpuMicrosPerRequest))
  const rate = (rounds: Round[]) => median(rounds.map((round) => round.perSecond))
  const ratios = ours.map((round, index) =>
    ratioOf === 'rate'
      ? round.perSecond / (bare[index]?.perSecond ?? 0)
      : (bare[index]?.cpuMicrosPerRequest ?? 0) / round.cpuMicrosPerRequest,
  )
  const others = median([...bare, ...ours].map((round) => round.othersBusy))
  return [
    title,
    `${whole(bodyBytes)} B`,
    micros(bare).toFixed(1),
    micros(ours).toFixed(1),
    `${median(ratios).toFixed(2)}${ratioOf === 'rate' ? ' (rate)' : ''}`,
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    `≥ ${target}`,
    whole(rate(bare)),
    whole(rate(ours)),
    `${saturated(bare)} / ${saturated(ours)}`,
    `${Math.round(others * 100)} %`,
  ]
}

function saturated(rounds: Round[]): string {
  if (median(rounds.map(({ serverBusy }) => serverBusy)) > SATURATED) return 'server'
  return median(rounds.map(({ clientBusy }) => clientBusy)) > SATURATED ? 'client' : 'neither'
}

const durationRow = ({ title, ms }: Durations['parts'][number]) => [
  title,
  ...[median(ms), Math.min(...ms), Math.max(...ms)].map(whole),
]

function pageRow({ title, statements, sqlMicros, pageMicros }: PageCost): string[] {
  const times = pageMicros.map((micros, round) => micros / (sqlMicros[round] ?? Number.NaN))
  const told = [median(sqlMicros), median(pageMicros)].map(whole)
  const spread = `${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)}`
  return [title, String(statements), ...told, median(times).toFixed(2), spread]
}

const whole = (value: number) => Math.round(value).toLocaleString('en')

function markdown([head = [], ...rows]: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

function aligned(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return table.map((row) => row.map(pad).join('  ')).join('\n')
}
