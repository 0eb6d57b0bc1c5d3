import type { Rule } from '../rules.ts'
import { quarter } from './memory.ts'
import { type Outcome, quantile } from './outcome.ts'
import type { PoliteResult } from './polite-client.ts'

/** Of what is meant to be asked for must leave the clients. */
const LEAST_OFFERED = 0.95
/**
 * Of the capacity must be taken what refusals leave of the server's time, at 38 µs each (docs/trust.md), and half of that is
 * room for what else a machine does. A quarter is enough where they leave more; a tenth is the least, since a machine on
 * which so many can be asked for refuses sooner than that.
 */
const REFUSAL_S = 38e-6
const LEAST_TAKEN = { from: 0.1, to: 0.25 }
/**
 * A queue that grows at ten times the capacity is 54 s long after a minute. Alone on two cores it is one second; this leaves
 * room for what else a machine does, and not for a queue.
 */
export const LONGEST_P99_MS = 4_000
/** Of the capacity must be there again. */
const LEAST_RECOVERED = 0.5
/** Of what somebody who behaves asks must have left in time, and been served: all was, even on a machine that did much else. */
const LEAST_POLITE = 0.9
/** The nursery of a process may take three times 32 MiB, and has not taken all of it in the first seconds. */
export const MOST_GROWTH_MIB = 96
/** Two of each quarter, at least. */
export const LEAST_SAMPLES = 8

/** Whether as much was asked for as was meant: what never left the clients tried nobody. */
export const wasOffered = ({ sent, seconds }: Outcome, offered: number): boolean =>
  seconds > 0 && sent / seconds >= offered * LEAST_OFFERED

const p99Of = ({ servedMs }: Outcome): number => quantile(servedMs, 0.99) ?? Number.NaN
const silentOf = ({ broken, unanswered }: Outcome): number => broken + unanswered

/** What is asked of whatever was asked for. */
export const ASKED: Rule<Outcome>[] = [
  ({ sids }) => sids.length === 0 && 'nothing was taken',
  (outcome) =>
    outcome.sids.length > 0 && !(p99Of(outcome) <= LONGEST_P99_MS) && `p99 of what was taken is ${p99Of(outcome)} ms`,
  ({ wrong, firstWrong }) =>
    !(wrong === 0) && `${wrong} answers were neither 201 nor a refusal as promised, first: ${firstWrong}`,
  (outcome) => !(silentOf(outcome) === 0) && `${silentOf(outcome)} requests were never answered`,
]

/** More than can be taken, and how it was meant. */
export interface Flooded extends Outcome {
  /** Asked for in a second, and what can be taken in one. */
  offered: number
  capacity: number
  /** 429 where one site takes more than its share, 503 where several take all places. */
  refusedWith: 429 | 503
}

/** How many must be taken in all. */
function leastTaken({ offered, capacity, seconds }: Flooded): number {
  const left = 1 - (offered - capacity) * REFUSAL_S
  return Math.min(LEAST_TAKEN.to, Math.max(LEAST_TAKEN.from, left / 2)) * capacity * seconds
}

/** What is asked of a flood. */
export const FLOODED: Rule<Flooded>[] = [
  ...ASKED,
  (flood) =>
    !wasOffered(flood, flood.offered) &&
    `only ${Math.round(flood.sent / flood.seconds)} a second could be asked for, not ${Math.round(flood.offered)}`,
  (flood) =>
    flood.sids.length > 0 &&
    !(flood.sids.length >= leastTaken(flood)) &&
    `only ${flood.sids.length} were taken, where ${Math.round(leastTaken(flood))} are the least`,
  ({ refused, refusedWith }) => !(Number(refused[refusedWith]) > 0) && `nobody was refused with ${refusedWith}`,
]

/** What was taken in a second before a flood and after it. */
export const RECOVERY: Rule<{ before: number; after: number }>[] = [
  ({ before, after }) =>
    !(before > 0 && after >= before * LEAST_RECOVERED) &&
    `after the flood only ${Math.round(after)} a second were taken, before it ${Math.round(before)}`,
]

/** Somebody who behaves, and meant to ask so many times. */
export interface Polite extends PoliteResult {
  name: string
  meant: number
}

/** What is asked of how somebody who behaves is treated. */
export const POLITE: Rule<Polite>[] = [
  ({ name, wrong }) => wrong.length > 0 && `${name} who behave got ${wrong.length} wrong answers, first: ${wrong[0]}`,
  ({ name, p99 }) =>
    p99 !== undefined && !(p99 <= LONGEST_P99_MS) && `p99 of ${name} who behave is ${p99.toFixed(0)} ms`,
  ({ name, asked, meant }) =>
    !(asked > 0 && asked >= meant * LEAST_POLITE) && `${name} who behave asked only ${asked} times, not ${meant}`,
  ({ name, served, asked }) =>
    asked > 0 && !(served >= asked * LEAST_POLITE) && `${name} who behave were served ${served} of ${asked} times`,
]

/** What a process had in memory, in MiB: before a flood, all the while, and when it had settled after it. */
export interface Memory {
  before: number
  during: readonly number[]
  after: number
}

/** What came on top in the second half of a flood: what a crowd needs is there by then, what still grows goes on growing. */
export const grownWithin = ({ during }: Pick<Memory, 'during'>): number => quarter(during, 4) - quarter(during, 2)

/** What is asked of memory; what was not seen has not stayed. */
export const MEMORY: Rule<Memory>[] = [
  ({ before, during, after }) =>
    !(during.length >= LEAST_SAMPLES && [before, ...during, after].every((mib) => mib > 0)) &&
    'memory was not looked at',
  ({ before, after }) => after - before > MOST_GROWTH_MIB && `memory grew by ${(after - before).toFixed(0)} MiB`,
  (memory) =>
    grownWithin(memory) > MOST_GROWTH_MIB &&
    `memory still grew by ${grownWithin(memory).toFixed(0)} MiB in the second half of it`,
]
