import {
  type Comparison,
  type Durations,
  type Memories,
  median,
  type PageCost,
  type Result,
  type Round,
  type Throughput,
} from '../scenario.ts'
import { ratios, TIMES_USUAL } from '../verdict.ts'

/** A head and rows; the first column is text. */
export type Table = string[][]

export interface Titled {
  title: string
  /** Which scenario it is of, where one alone. */
  name?: string
  rows: Table
}

const SATURATED = 0.9 // of a core: the rest is the kernel's, or somebody else's
const MIB = 2 ** 20

/** Everything that was measured, in tables. */
export function tablesOf(results: Result[]): Titled[] {
  const compared = results.filter((result): result is Comparison => result.kind === 'comparison')
  return [
    ...(compared.length > 0
      ? [
          { title: 'CPU time of a request, in microseconds', rows: [CPU_HEAD, ...compared.map(cpuRow)] },
          { title: 'Requests a second', rows: [RATE_HEAD, ...compared.map(rateRow)] },
        ]
      : []),
    ...results.flatMap((result) => (result.kind === 'comparison' ? [] : [tableOf(result)])),
  ]
}

function tableOf(result: Exclude<Result, Comparison>): Titled {
  const { name, title } = result
  if (result.kind === 'durations') return { name, title, rows: [DURATION_HEAD, ...result.parts.map(durationRow)] }
  if (result.kind === 'memories') return { name, title, rows: [MEMORY_HEAD, ...result.parts.map(memoryRow)] }
  if (result.kind === 'throughput') return { name, title, rows: [NODES_HEAD, ...result.parts.map(nodesRow)] }
  return { name, title: `${title} (wanted: ≤ ${result.target})`, rows: [PAGES_HEAD, ...result.pages.map(pageRow)] }
}

const CPU_HEAD = [
  'scenario',
  'bare',
  'ours',
  'usual',
  'of which PostgreSQL',
  'bare ÷ ours',
  'in rounds',
  'wanted',
  'times the usual way',
  'wanted',
]
const RATE_HEAD = ['scenario', 'body', 'bare', 'ours', 'usual', 'saturated: bare, ours, usual', 'other load']
const PAGES_HEAD = ['', 'statements', 'its SQL, CPU µs', 'page, CPU µs', 'times its SQL', 'in rounds']
const DURATION_HEAD = ['', 'median, ms', 'from', 'to']
const MEMORY_HEAD = ['', 'answered', 'before, MiB', 'after', 'most', 'JavaScript heap']
const NODES_HEAD = ['', 'a second', 'cores: nodes', 'PostgreSQL', 'client']

const micros = (rounds: Round[] | undefined) =>
  rounds ? median(rounds.map((round) => round.cpuMicrosPerRequest)).toFixed(1) : '–'
const rate = (rounds: Round[] | undefined) => (rounds ? whole(median(rounds.map((round) => round.perSecond))) : '–')

function cpuRow(result: Comparison): string[] {
  const { title, bare, ours, usual, target, ratioOf } = result
  const toBare = ratios(result, bare)
  const postgres = [bare, ours, usual].map((rounds) =>
    rounds ? whole(median(rounds.map(({ postgresMicrosPerRequest = 0 }) => postgresMicrosPerRequest))) : '–',
  )
  const asks = ours.some(({ postgresMicrosPerRequest }) => postgresMicrosPerRequest !== undefined)
  return [
    title,
    ...[bare, ours, usual].map(micros),
    asks ? postgres.join(', ') : '–',
    `${median(toBare).toFixed(2)}${ratioOf === 'rate' ? ' (rate)' : ''}`,
    `${Math.min(...toBare).toFixed(2)}–${Math.max(...toBare).toFixed(2)}`,
    `≥ ${target}`,
    usual ? median(ratios(result, usual)).toFixed(1) : '–',
    usual ? `≥ ${TIMES_USUAL}` : '–',
  ]
}

function rateRow({ title, bodyBytes, bare, ours, usual }: Comparison): string[] {
  const others = median([...bare, ...ours].map((round) => round.othersBusy))
  return [
    title,
    `${whole(bodyBytes)} B`,
    ...[bare, ours, usual].map(rate),
    [bare, ours, usual].map((rounds) => (rounds ? saturated(rounds) : '–')).join(', '),
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

const memoryRow = ({ title, answered, before, after, most, heap }: Memories['parts'][number]) => [
  title,
  whole(answered),
  ...[before, after, most, heap].map((bytes) => whole(bytes / MIB)),
]

const nodesRow = ({ title, perSecond, nodes, postgres, client }: Throughput['parts'][number]) => [
  title,
  whole(median(perSecond)),
  ...[nodes, postgres, client].map((cores) => cores.toFixed(2)),
]

function pageRow({ title, statements, sqlMicros, pageMicros }: PageCost): string[] {
  const times = pageMicros.map((spent, round) => spent / (sqlMicros[round] ?? Number.NaN))
  const told = [median(sqlMicros), median(pageMicros)].map(whole)
  const spread = `${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)}`
  return [title, String(statements), ...told, median(times).toFixed(2), spread]
}

const whole = (value: number) => Math.round(value).toLocaleString('en')

export function markdown([head = [], ...rows]: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

export function aligned(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return table.map((row) => row.map(pad).join('  ')).join('\n')
}
