import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../machine.ts'
import { type Box, plotFlame } from '../plot/flame.ts'
import { markdown, type Table } from '../report/tables.ts'
import { writeBetween } from '../report.ts'
import { KINDS, PARTS, type Part, resultPage, sharesOf } from './parts.ts'
import { type Frame, stacksOf } from './stacks.ts'
import type { Profiled, Subject } from './subjects.ts'

/** What is kept of a profile. */
export interface Shares {
  name: string
  title: string
  shares: Record<Part, number>
  /** Of one request, row or delivery, while a profile is taken: of Node's main thread, and of PostgreSQL. */
  nodeMicros: number
  postgresMicros: number
}

/** What was profiled last, each on its day. */
export interface Profiles {
  date: string
  machine: Machine
  subjects: Shares[]
}

const LEAST_SHOWN = 0.005
const LEAST_SHOWN_MICROS = 1

export function sharesIn({ name, title }: Subject, { profile, count, postgresMicros }: Profiled): Shares {
  const stacks = stacksOf(profile)
  return {
    ...{ name, title, shares: sharesOf(stacks) },
    ...{ nodeMicros: stacks.total / count, postgresMicros: postgresMicros / count },
  }
}

export function tableOf(subjects: Shares[]): Table {
  const percent = (share: number) => (share < LEAST_SHOWN ? '–' : String(Math.round(share * 100)))
  const micros = (value: number) => (value < LEAST_SHOWN_MICROS ? '–' : Math.round(value).toLocaleString('en'))
  return [
    ['% of the main thread of Node', ...subjects.map(({ title }) => title)],
    ...PARTS.map(({ name }) => [name, ...subjects.map(({ shares }) => percent(shares[name]))]),
    ['**µs of Node, each, profiled**', ...subjects.map(({ nodeMicros }) => micros(nodeMicros))],
    ['**µs of PostgreSQL besides**', ...subjects.map(({ postgresMicros }) => micros(postgresMicros))],
  ]
}

export function flameOf({ title }: Subject, { profile }: Profiled): string {
  const stacks = stacksOf(profile)
  const kindOf = (part: Part) => KINDS.indexOf(PARTS.find(({ name }) => name === part)?.kind ?? 'Rodado')
  const boxOf = (frame: Frame, part: Part): Box => ({
    label: frame.file === '' ? frame.name : `${frame.name} ${frame.file}:${frame.line}`,
    kind: kindOf(part),
    total: frame.total,
    called: frame.called.map((each) => boxOf(each, resultPage(each, frame, part))),
  })
  return plotFlame({ title: `Flame graph: ${title}`, legend: [...KINDS], root: boxOf(stacks, 'the rest') })
}

const fileOf = ({ name }: Pick<Subject, 'name'>) => `flame-${name}.svg`

/** Draws one into the document's folder. */
export function draw(subject: Subject, profiled: Profiled, docs: string): void {
  mkdirSync(join(docs, 'plots'), { recursive: true })
  writeFileSync(join(docs, 'plots', fileOf(subject)), flameOf(subject, profiled))
}

/** Puts the table and the flame graphs into the document, whose other words are left as they are. */
export function publishProfiles({ date, machine, subjects }: Profiles, docs: string): void {
  const { processor, cores, node } = machine
  const run = `\`npm run bench:profile\`, ${date}, Node ${node}, ${processor}, ${cores} cores.`
  const links = subjects.map((subject) => `[${subject.title}](plots/${fileOf(subject)})`)
  const shown = subjects.filter(({ name }) => SHOWN.includes(name)).map((subject) => picture(subject))
  const flames = `Flame graphs, which tell each function's share when pointed at: ${links.join(', ')}.`
  const words = [run, markdown(tableOf(subjects)), flames, ...shown].join('\n\n')
  writeBetween(join(docs, 'benchmarks.md'), 'npm run bench:profile', words)
}

/** Those that the document shows; the others are links. */
const SHOWN = ['intake', 'deliveries']
const picture = (subject: Shares) => {
  const file = `plots/${fileOf(subject)}`
  return `[![Flame graph: ${subject.title}](${file})](${file})`
}
