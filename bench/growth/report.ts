import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../machine.ts'
import { plotLines } from '../plot/lines.ts'
import { aligned, markdown, type Table } from '../report/tables.ts'
import { writeBetween } from '../report.ts'
import { growthOf, type Operation, type Series } from './series.ts'

export interface Growth {
  date: string
  machine: Machine
  series: Series[]
}

/** The wish: so much longer at most, from 10 thousand inquiries to a million, for the first page of the largest agency. */
const AIM = 1.3
const AIMED_AT = 'largest agency, page 1'

const aimed = ({ series }: Growth): Operation | undefined =>
  series.find(({ name }) => name === 'inquiries')?.operations.find(({ title }) => title === AIMED_AT)

/** Whether a page costs the same among many; so it is where it was not measured. */
export function isFlat(growth: Growth): boolean {
  const operation = aimed(growth)
  return operation === undefined || growthOf(operation) <= AIM
}

function tableOf({ title, sizes, operations }: Series): Table {
  const head = [`ms, by ${title}`, ...sizes.map((size) => size.toLocaleString('en')), 'last ÷ first']
  const row = (operation: Operation) => [
    operation.title,
    ...operation.ms.map((ms) => ms.toFixed(2)),
    growthOf(operation).toFixed(2),
  ]
  return [head, ...operations.map(row)]
}

function verdict(growth: Growth): string {
  const operation = aimed(growth)
  if (!operation) return ''
  return ` The first page of the largest agency takes ${growthOf(operation).toFixed(2)} times as long among the most as among the fewest (wanted: ≤ ${AIM}).`
}

export const terminalGrowth = (growth: Growth): string =>
  [...growth.series.map((series) => aligned(tableOf(series))), verdict(growth)].join('\n\n')

const fileOf = ({ name }: Series) => `growth-${name}.svg`

/** Puts tables and pictures into the document, whose other words are left as they are. */
export function publishGrowth(growth: Growth, docs: string): void {
  mkdirSync(join(docs, 'plots'), { recursive: true })
  for (const series of growth.series) writeFileSync(join(docs, 'plots', fileOf(series)), plotOf(series))
  const { processor, cores, node } = growth.machine
  const run = `\`npm run bench:growth\`, ${growth.date}, Node ${node}, ${processor}, ${cores} cores.${verdict(growth)}`
  const parts = growth.series.map(
    (series) => `${markdown(tableOf(series))}\n\n![Milliseconds by ${series.title}](plots/${fileOf(series)})`,
  )
  writeBetween(join(docs, 'benchmarks.md'), 'npm run bench:growth', [run, ...parts].join('\n\n'))
}

export const plotOf = ({ title, sizes, operations }: Series): string =>
  plotLines({
    title: `Milliseconds an operation, by ${title}`,
    upright: 'ms',
    across: title,
    sizes,
    lines: operations.map((operation) => ({ label: operation.title, values: operation.ms })),
  })
