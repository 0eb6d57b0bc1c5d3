import { readFileSync, writeFileSync } from 'node:fs'
import { aligned } from '../drills/table.ts'
import { getOrInsert } from '../src/memoize.ts'
import { median, type Result } from './scenario.ts'

/** Everything that one run has to say. */
export interface Report {
  date: string
  commit: string
  machine: string
  rows: number
  results: Result[]
  /** Scenarios in which something was lost or an answer was wrong, and why. */
  failures: string[]
}

type Table = string[][]

/** A row for each contender: the median of each column, and its ratio to the first contender round by round. */
export function tableOf(results: Result[]): Table {
  const contenders = results.flatMap((result) => result.contenders)
  const headings = Object.keys(contenders[0]?.columns ?? {}).filter((heading) =>
    contenders.some(({ columns }) => columns[heading]?.some((value) => value > 0)),
  )
  const head = ['', ...headings, `${results[0]?.ratioOf} ÷ ${contenders[0]?.name}`]
  const rows = results.flatMap(({ title, ratioOf, contenders: [first, ...others] }) => {
    const cells = (columns: Record<string, number[]>) =>
      headings.map((heading) => format(median(columns[heading] ?? [])))
    const ratioTo = (columns: Record<string, number[]>) => {
      const ratios = (columns[ratioOf] ?? []).map(
        (value, round) => value / (first?.columns[ratioOf]?.[round] ?? Number.NaN),
      )
      return `${format(median(ratios))} (${format(Math.min(...ratios))}–${format(Math.max(...ratios))})`
    }
    return [
      [results.length > 1 ? `${title} – ${first?.name}` : (first?.name ?? ''), ...cells(first?.columns ?? {}), '1'],
      ...others.map(({ name, columns }) => [name, ...cells(columns), ratioTo(columns)]),
    ]
  })
  return [head, ...rows]
}

/** Results with the same columns and the same reference share a table. */
function groupsOf(results: Result[]): Result[][] {
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const [first] = result.contenders
    const key = [result.ratioOf, first?.name, ...Object.keys(first?.columns ?? {})].join()
    getOrInsert(groups, key, () => []).push(result)
  }
  return [...groups.values()]
}

function format(value: number): string {
  if (Number.isNaN(value)) return '–'
  if (value < 10) return value.toFixed(2)
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}

export function markdown([head = [], ...rows]: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

const failureLines = ({ failures }: Report) => failures.map((failure) => `FAILED  ${failure}`)

export const terminalReport = (report: Report): string =>
  [
    ...report.results.map((result) => `${result.name}: ${result.title}\n${aligned(tableOf([result]))}`),
    ...failureLines(report),
  ].join('\n\n')

function markdownReport(report: Report): string {
  const { date, commit, machine, rows, results } = report
  const run = `${date}, commit ${commit}, ${rows.toLocaleString('en')} rows, ${machine}.`
  const tables = groupsOf(results).map((group) => {
    const heading = group.length > 1 ? '' : `${group[0]?.title}\n\n`
    return heading + markdown(tableOf(group))
  })
  return [run, ...failureLines(report), ...tables].join('\n\n')
}

const [BEGIN, END] = ['<!-- written by npm run bench: begin -->', '<!-- written by npm run bench: end -->']

/** Replaces the text between the marks of a document. */
export function publish(report: Report, file: string): void {
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${file} has no marks for the results.`)
  writeFileSync(file, `${text.slice(0, from + BEGIN.length)}\n\n${markdownReport(report)}\n\n${text.slice(to)}`)
}
