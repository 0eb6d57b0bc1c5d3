import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../machine.ts'
import { plotLines } from '../plot/lines.ts'
import { aligned, markdown, type Table } from '../report/tables.ts'
import { writeBetween } from '../report.ts'
import type { Operation, Series } from './series.ts'
import { growthWords, judgeSeries } from './wishes.ts'

export interface Growth {
  date: string
  machine: Machine
  series: Series[]
}

/** Whether everything that was to be flat or logarithmic is. */
export const isFlat = (all: Series[]): boolean => all.flatMap(judgeSeries).every(({ met }) => met)

function tableOf(series: Series): Table {
  const { title, sizes, operations } = series
  const judged = judgeSeries(series)
  const head = [`ms, by ${title}`, ...sizes.map((size) => size.toLocaleString('en')), 'last ÷ first', 'wanted']
  const row = ({ title: what, ms }: Operation, at: number) => {
    const { growth = Number.NaN, most } = judged[at] ?? {}
    return [what, ...ms.map((each) => each.toFixed(2)), growth.toFixed(2), most === undefined ? '–' : `≤ ${most}`]
  }
  return [head, ...operations.map(row)]
}

export const terminalGrowth = (growth: Growth): string =>
  [...growth.series.map((series) => aligned(tableOf(series))), growthWords(growth.series)].join('\n\n')

const fileOf = ({ name }: Series) => `growth-${name}.svg`

/** Puts tables and pictures into the document, whose other words are left as they are. */
export function publishGrowth(growth: Growth, docs: string): void {
  mkdirSync(join(docs, 'plots'), { recursive: true })
  for (const series of growth.series) writeFileSync(join(docs, 'plots', fileOf(series)), plotOf(series))
  const { processor, cores, node } = growth.machine
  const run = `\`npm run bench:growth\`, ${growth.date}, Node ${node}, ${processor}, ${cores} cores.`
  const parts = growth.series.map(
    (series) => `${markdown(tableOf(series))}\n\n![Milliseconds by ${series.title}](plots/${fileOf(series)})`,
  )
  writeBetween(
    join(docs, 'benchmarks.md'),
    'npm run bench:growth',
    [run, growthWords(growth.series), ...parts].join('\n\n'),
  )
}

export const plotOf = ({ title, sizes, operations }: Series): string =>
  plotLines({
    title: `Milliseconds an operation, by ${title}`,
    upright: 'ms',
    across: title,
    sizes,
    lines: operations.map((operation) => ({ label: operation.title, values: operation.ms })),
  })
