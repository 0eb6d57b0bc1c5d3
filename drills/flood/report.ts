import { violationsOf } from '../rules.ts'
import { type Outcome, quantile } from './outcome.ts'
import type { PoliteResult } from './polite-client.ts'
import { type findConsultas, STORED } from './stored.ts'
import { FLOODED, grownWithin, MEMORY, type Memory, POLITE, RECOVERY, RESPONSES } from './verdict.ts'

/** What the drill measured. */
export interface FloodReport {
  /** Inquiries that the server can take in a second, and that were sent in a second by one site and by several. */
  capacity: number
  offered: number
  bySeveral: number
  /** Runs at the server's pace, before and after the flood. */
  calm: Outcome
  again: Outcome
  flood: Outcome
  floodMemory: Memory
  several: Outcome
  severalMemory: Memory
  sites: number
  polite: { name: 'readers' | 'writers'; label: string; expected: number; result: PoliteResult }[]
  acknowledged: number
  stored: Awaited<ReturnType<typeof findConsultas>>
  caughtUpMs: number
}

const storedPerSecond = ({ sids, seconds }: Outcome): number => sids.length / seconds

/** The rules that do not hold, each with the run it is about. */
export function floodViolations(report: FloodReport): string[] {
  const { capacity, offered, bySeveral, calm, again, flood, several, floodMemory, severalMemory, polite, stored } =
    report
  const recovered = storedPerSecond(again)
  // The lower of the capacities before and after: the machine surely had that meanwhile.
  const target = { offered, capacity: Math.min(capacity, recovered) }
  const of = (name: string, violations: string[]) => violations.map((message) => `${name}: ${message}`)
  return [
    ...violationsOf(STORED, stored),
    ...of('before the flood', violationsOf(RESPONSES, calm)),
    ...of('in the flood', violationsOf(FLOODED, { ...flood, ...target, refusedWith: 429 })),
    ...of('in the flood', violationsOf(MEMORY, floodMemory)),
    ...of('after the flood', violationsOf(RESPONSES, again)),
    ...violationsOf(RECOVERY, { before: capacity, after: recovered }),
    ...of('from several sites', violationsOf(FLOODED, { ...several, ...target, offered: bySeveral, refusedWith: 503 })),
    ...of('from several sites', violationsOf(MEMORY, severalMemory)),
    ...polite.flatMap(({ name, expected, result }) => violationsOf(POLITE, { ...result, name, expected })),
  ]
}

export function floodRows(report: FloodReport): [string, string | number][] {
  const { capacity, calm, again, flood, several, stored, sites } = report
  const perSecond = Math.round(flood.sent / flood.seconds)
  const times = (counts: number[]) => [0.5, 0.99, 1].map((share) => quantile(counts, share) ?? '–').join(' / ')
  return [
    ['capacity: inquiries stored a second', capacity],
    ['  p50 / p99 / longest, ms', times(calm.servedMs)],
    ['sent in the flood', flood.sent],
    ['  a second', perSecond],
    ['  times the capacity', (perSecond / capacity).toFixed(1)],
    ['stored (201)', flood.sids.length],
    ['  a second', Math.round(storedPerSecond(flood))],
    ['  of the capacity, %', Math.round((100 * storedPerSecond(flood)) / capacity)],
    ['  p50 / p99 / longest, ms', times(flood.servedMs)],
    ['refused with 429', flood.refused[429] ?? 0],
    ['refused with 503', flood.refused[503] ?? 0],
    ['  p50 / p99 / longest, ms', times(flood.refusedMs)],
    ['any other answer', flood.wrong],
    ['never answered', flood.broken + flood.unanswered],
    ...report.polite.flatMap(({ label, result }) => politeRows(label, result)),
    ...memoryRows('memory', report.floodMemory),
    ['stored a second afterwards', Math.round(storedPerSecond(again))],
    [`from ${sites} sites at once: sent / stored`, `${several.sent} / ${several.sids.length}`],
    ['  p50 / p99 / longest of those stored, ms', times(several.servedMs)],
    ['  refused with 429 / with 503', `${several.refused[429] ?? 0} / ${several.refused[503] ?? 0}`],
    ...memoryRows('  memory', report.severalMemory),
    ['inquiries acknowledged (201)', report.acknowledged],
    ['  of them not in the store / without an event', `${stored.missing} / ${stored.withoutEvent}`],
    ['inquiries in the store', stored.consultas],
    ['events committed', stored.committed],
    ['events received', stored.received],
    ['  caught up after the flood in, s', (report.caughtUpMs / 1_000).toFixed(1)],
    ['committed but not received', stored.lost],
    ['received but not committed', stored.unknown],
    ['emails written / pending / given up', `${stored.emails} / ${stored.emailsPending} / ${stored.emailsFailed}`],
  ]
}

function politeRows(name: string, { sent, served, refused, p50, p99 }: PoliteResult): [string, string | number][] {
  return [
    [`${name}: sent / served / refused`, `${sent} / ${served} / ${refused}`],
    ['  p50 / p99, ms', `${p50?.toFixed(0) ?? '–'} / ${p99?.toFixed(0) ?? '–'}`],
  ]
}

function memoryRows(name: string, memory: Memory): [string, string][] {
  const { before, during, after } = memory
  return [
    [
      `${name} before / most / after, MiB`,
      [before, Math.max(...during), after].map((mib) => mib.toFixed(0)).join(' / '),
    ],
    [`${name} in the last quarter over the second, MiB`, grownWithin(memory).toFixed(0)],
  ]
}
