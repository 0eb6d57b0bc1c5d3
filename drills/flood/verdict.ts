import { type Outcome, quantile } from './outcome.ts'
import type { Behaved } from './polite.ts'

/** Of what is meant to be asked for must leave the clients. */
const LEAST_OFFERED = 0.95
/**
 * Of the capacity must be taken while ten times as much is asked for. A refusal costs 38 µs of the server's time where an
 * inquiry costs 650 (docs/trust.md): nine for each that could be taken leave it 47 % of its time, and that was measured.
 * Half of that is room for what else a machine does. Where more is asked for, what is left is less.
 */
const LEAST_TAKEN = 0.25
const LEAST_TAKEN_AT_TIMES = 10
/**
 * A queue that grows at ten times the capacity is 54 s long after a minute. Alone on two cores it is one second; this leaves
 * room for what else a machine does, and not for a queue.
 */
export const LONGEST_P99_MS = 4_000
/** Of the capacity must be there again. */
const LEAST_RECOVERED = 0.5
/** Of what somebody who behaves asks must have left in time, and been served. */
const LEAST_POLITE = 0.5
/** The nursery of a process may take three times 32 MiB, and has not taken all of it in the first seconds. */
export const MOST_GROWTH_MIB = 96

/** What there was to be, where more was asked for than can be taken. */
export interface Meant {
  /** Asked for in a second, and what can be taken in one. */
  offered: number
  capacity: number
}

/** Whether as much was asked for as was meant: what never left the clients tried nobody. */
export const wasOffered = ({ sent, seconds }: Outcome, offered: number): boolean =>
  seconds > 0 && sent / seconds >= offered * LEAST_OFFERED

/** What did not hold of what was asked; where more was asked for than can be taken, `meant`. */
export function faultsOf(outcome: Outcome, meant?: Meant): string[] {
  const { sent, seconds, sids, wrong, firstWrong, broken, unanswered, servedMs } = outcome
  const faults: string[] = []
  const p99 = quantile(servedMs, 0.99)
  if (p99 === undefined || sids.length === 0) faults.push('nothing was taken')
  else if (!(p99 <= LONGEST_P99_MS)) faults.push(`p99 of what was taken is ${p99} ms`)
  if (wrong > 0) faults.push(`${wrong} answers were neither 201 nor a refusal as promised, first: ${firstWrong}`)
  if (broken + unanswered > 0) faults.push(`${broken + unanswered} requests were never answered`)
  if (!meant) return faults
  if (!wasOffered(outcome, meant.offered))
    faults.push(`only ${Math.round(sent / seconds)} a second could be asked for, not ${Math.round(meant.offered)}`)
  const least = leastTaken(meant) * seconds
  if (!(sids.length >= least)) faults.push(`only ${sids.length} were taken, where ${Math.round(least)} are the least`)
  return faults
}

/** How many must be taken in a second. */
function leastTaken({ offered, capacity }: Meant): number {
  return LEAST_TAKEN * capacity * Math.min(1, (LEAST_TAKEN_AT_TIMES * capacity) / offered)
}

/** Whether as much can be taken after it as before, room for what else a machine does aside. */
export const recoveryFaults = (before: number, after: number): string[] =>
  after >= before * LEAST_RECOVERED
    ? []
    : [`after the flood only ${Math.round(after)} a second were taken, before it ${Math.round(before)}`]

/** What somebody met who behaves, and meant to ask so many times. */
export function rudeTo(name: string, { wrong, p99, served, asked }: Behaved, meant: number): string[] {
  const faults: string[] = []
  if (wrong.length > 0) faults.push(`${name} who behave got ${wrong.length} wrong answers, first: ${wrong[0]}`)
  if (p99 !== undefined && !(p99 <= LONGEST_P99_MS)) faults.push(`p99 of ${name} who behave is ${p99.toFixed(0)} ms`)
  if (!(asked > 0 && asked >= meant * LEAST_POLITE))
    faults.push(`${name} who behave asked only ${asked} times, not ${meant}`)
  if (!(served > 0 && served >= asked * LEAST_POLITE))
    faults.push(`${name} who behave were served ${served} of ${asked} times`)
  return faults
}

/** Whether memory stayed, by what was seen before, meanwhile and after; what was not seen has not stayed. */
export function memoryFaults(before: number, during: readonly number[], after: number): string[] {
  if (during.length === 0 || ![before, ...during, after].every((mib) => mib > 0)) return ['memory was not looked at']
  const grown = after - before
  return grown <= MOST_GROWTH_MIB ? [] : [`memory grew by ${grown.toFixed(0)} MiB`]
}
