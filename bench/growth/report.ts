import { readFileSync, writeFileSync } from 'node:fs'
import type { Machine } from '../machine.ts'

/** What a page took while there were so many; in milliseconds a page, one after the other. */
export interface Size {
  count: number
  agencies: number
  loadSeconds: number
  /** The first page of the largest agency, which has a tenth of all; of others; and page 99 of the largest. */
  largest: number
  others: number
  last: number
}

export interface Growth {
  date: string
  machine: Machine
  sizes: Size[]
}

const BEGIN = '<!-- written by npm run bench:growth: begin -->'
const END = '<!-- written by npm run bench:growth: end -->'
const [SMALL, LARGE] = [10_000, 1_000_000]
const AIM = 1.3 // at most, from 10 thousand to a million

const at = ({ sizes }: Growth, count: number) => sizes.find((size) => size.count === count)

/** How much longer the first page of the largest agency takes among a million. */
export const growthOf = (growth: Growth): number =>
  (at(growth, LARGE)?.largest ?? Number.NaN) / (at(growth, SMALL)?.largest ?? Number.NaN)

export const aimedAt = (growth: Growth): boolean => growthOf(growth) <= AIM

const HEAD = ['inquiries', 'agencies', 'largest, page 1', 'others, page 1', 'largest, page 99', 'loaded in']

const row = (size: Size): string[] => [
  size.count.toLocaleString('en'),
  size.agencies.toLocaleString('en'),
  `${size.largest.toFixed(2)} ms`,
  `${size.others.toFixed(2)} ms`,
  `${size.last.toFixed(2)} ms`,
  `${Math.round(size.loadSeconds)} s`,
]

const verdict = (growth: Growth) =>
  `From 10,000 to 1,000,000 the first page of the largest agency takes ${growthOf(growth).toFixed(2)} times as long (wanted: ≤ ${AIM}).`

export const terminalGrowth = (growth: Growth): string =>
  [HEAD, ...growth.sizes.map(row)]
    .map((cells) => cells.map((cell) => cell.padStart(18)).join(''))
    .concat('', verdict(growth), '')
    .join('\n')

/** Puts the table into the document, whose other words are left as they are. */
export function publishGrowth(growth: Growth, file: string): void {
  const text = readFileSync(file, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${file} has lost the marks between which the growth stands.`)
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n\n${markdown(growth)}\n\n${text.slice(end)}`)
}

function markdown(growth: Growth): string {
  const { processor, cores, node } = growth.machine
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    `\`npm run bench:growth\`, ${growth.date}, Node ${node}, ${processor}, ${cores} cores. ${verdict(growth)}`,
    '',
    line(HEAD),
    line(HEAD.map(() => '--:')),
    ...growth.sizes.map((size) => line(row(size))),
  ].join('\n')
}
