import type { Machine } from '../machine.ts'
import {
  type Comparison,
  type Durations,
  type Memories,
  median,
  type PageCost,
  type Result,
  type Round,
  SIDES,
  type Throughput,
} from '../scenario.ts'
import { ratios, TIMES_USUAL } from '../verdict.ts'
import { busyOf, nodesBound, saturated, wentAnywhere } from './saturated.ts'

/** A head and rows; the first column is text. */
export type Table = string[][]

export interface Titled {
  title: string
  /** Which scenario it is of, where one alone. */
  name?: string
  rows: Table
}

const MIB = 2 ** 20

/** Where it was measured, as far as it says what was full. */
type On = Pick<Machine, 'cores' | 'pinned'>

/** Everything that was measured, in tables. */
export function tablesOf(results: Result[], on: On): Titled[] {
  const compared = results.filter((result): result is Comparison => result.kind === 'comparison')
  const spread = compared.filter((result) => wentAnywhere(result, on))
  return [
    ...(compared.length > 0
      ? [
          { title: 'CPU time of a request, in microseconds', rows: [CPU_HEAD, ...compared.map(cpuRow)] },
          { title: 'Requests a second', rows: [RATE_HEAD, ...compared.map((result) => rateRow(result, on))] },
        ]
      : []),
    ...(spread.length > 0
      ? [
          {
            title: `Cores that were busy, of ${on.cores}, where every process went anywhere`,
            rows: [BUSY_HEAD, ...spread.flatMap((result) => busyRows(result, on))],
          },
        ]
      : []),
    ...results.flatMap((result) => (result.kind === 'comparison' ? [] : [tableOf(result, on)])),
  ]
}

function tableOf(result: Exclude<Result, Comparison>, on: On): Titled {
  const { name, title } = result
  if (result.kind === 'durations') return { name, title, rows: [DURATION_HEAD, ...result.parts.map(durationRow)] }
  if (result.kind === 'memories') return { name, title, rows: [MEMORY_HEAD, ...result.parts.map(memoryRow)] }
  if (result.kind === 'throughput') return { name, title, rows: [NODES_HEAD, ...nodesRows(result, on)] }
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
const NODES_HEAD = ['', 'a second', 'times one node', 'cores: nodes', 'PostgreSQL', 'client', 'others', 'bound by']
const BUSY_HEAD = ['', 'server', 'PostgreSQL', 'client or receiver', 'of all, with other load', 'saturated']

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

function rateRow(result: Comparison, on: On): string[] {
  const { title, bodyBytes, bare, ours, usual } = result
  const others = median([...bare, ...ours].map((round) => round.othersBusy))
  return [
    title,
    `${whole(bodyBytes)} B`,
    ...[bare, ours, usual].map(rate),
    [bare, ours, usual].map((rounds) => (rounds ? saturated(result, rounds, on) : '–')).join(', '),
    `${Math.round(others * 100)} %`,
  ]
}

function busyRows(result: Comparison, on: On): string[][] {
  return SIDES.flatMap((side) => {
    const rounds = result[side]
    if (!rounds) return []
    const { node, postgres, client, ofAll } = busyOf(rounds, on)
    const cores = [node, postgres, client].map((busy) => busy.toFixed(2))
    return [[`${result.name}, ${side}`, ...cores, `${Math.round(ofAll * 100)} %`, saturated(result, rounds, on)]]
  })
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

/** Each beside the last row of one node before it. */
function nodesRows({ parts }: Throughput, on: On): string[][] {
  let ofOne = Number.NaN
  return parts.map((part) => {
    const perSecond = median(part.perSecond)
    if (part.count === 1) ofOne = perSecond
    const cores = [part.nodes, part.postgres, part.client, part.others].map((busy) => busy.toFixed(2))
    return [part.title, whole(perSecond), (perSecond / ofOne).toFixed(2), ...cores, nodesBound(part, on)]
  })
}

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
