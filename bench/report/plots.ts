import { plotBars } from '../plot/bars.ts'
import { type Comparison, type Durations, type Memories, median, type Result } from '../scenario.ts'
import { ratios, TIMES_USUAL } from '../verdict.ts'

/** A picture of the document: its file, what it shows, and itself. */
export interface Plot {
  file: string
  alt: string
  svg: string
}

const MIB = 2 ** 20

/** What was measured, in pictures. */
export function plotsOf(results: Result[]): Plot[] {
  const compared = results.filter((result): result is Comparison => result.kind === 'comparison')
  const memory = results.find((result): result is Memories => result.kind === 'memories')
  const startUp = results.find((result): result is Durations => result.name === 'start-up')
  return [
    ...(compared.length > 0 ? [besideBare(compared), besideUsual(compared)] : []),
    ...(memory ? [ofMemory(memory)] : []),
    ...(startUp ? [ofStartUp(startUp)] : []),
  ]
}

const besideBare = (compared: Comparison[]): Plot => {
  const alt = 'Ours beside the bare side: its CPU time over ours, or our rate over its'
  const rows = compared.map((result) => ({
    label: result.title,
    values: [median(ratios(result, result.bare))],
    wanted: result.target,
  }))
  const axis = '1: costs nothing beyond the bare side; the stroke is what was wanted'
  return { file: 'bare.svg', alt, svg: plotBars({ title: alt, axis, legend: [''], rows, write: (v) => v.toFixed(2) }) }
}

const besideUsual = (compared: Comparison[]): Plot => {
  const alt = 'How many times as cheap, or as quick, as the usual way'
  const rows = compared.flatMap((result) =>
    result.usual ? [{ label: result.title, values: [median(ratios(result, result.usual))], wanted: TIMES_USUAL }] : [],
  )
  const axis = `times the usual way; the stroke is ${TIMES_USUAL}`
  return { file: 'usual.svg', alt, svg: plotBars({ title: alt, axis, legend: [''], rows, write: (v) => v.toFixed(1) }) }
}

const ofMemory = ({ title, parts }: Memories): Plot => {
  const rows = parts.map((part) => ({
    label: part.title,
    values: [part.before, part.after, part.heap].map((b) => b / MIB),
  }))
  const legend = ['before', 'after', 'JavaScript heap']
  const svg = plotBars({ title, axis: 'MiB', legend, rows, write: (value) => Math.round(value).toString() })
  return { file: 'memory.svg', alt: title, svg }
}

const ofStartUp = ({ title, parts }: Durations): Plot => {
  const rows = parts.map((part) => ({ label: part.title, values: [median(part.ms)] }))
  const svg = plotBars({
    title,
    axis: 'ms',
    legend: [''],
    rows,
    write: (value) => Math.round(value).toLocaleString('en'),
  })
  return { file: 'start-up.svg', alt: title, svg }
}
