import type { Rule } from '../rules.ts'
import { quarter } from './memory.ts'
import { type Outcome, quantile } from './outcome.ts'
import type { PoliteResult } from './polite-client.ts'

/** The share of the intended requests that the clients must send. */
const MIN_OFFERED = 0.95
/**
 * The required share of the capacity: half of what refusals leave of the server's time (docs/trust.md), between a tenth and a
 * quarter. The rest is room for other work on the machine.
 */
const REFUSAL_S = 38e-6
const MIN_TAKEN = { from: 0.1, to: 0.25 }
/**
 * Leaves room for other work on the machine, but not for a queue: at ten times the capacity a queue grows to a minute.
 */
export const LONGEST_P99_MS = 4_000
/** The share of the capacity that must be back. */
const MIN_RECOVERED = 0.5
/** The share of a well-behaved caller's requests that must be sent in time, and served. */
const MIN_POLITE = 0.9
/** V8's young generation may take three times 32 MiB, and does not fill up in the first seconds. */
export const MAX_GROWTH_MIB = 96
/** At least two for each quarter. */
export const MIN_SAMPLES = 8

/** True if the clients sent as much as intended. */
export const wasOffered = ({ sent, seconds }: Outcome, offered: number): boolean =>
  seconds > 0 && sent / seconds >= offered * MIN_OFFERED

const p99Of = ({ servedMs }: Outcome): number => quantile(servedMs, 0.99) ?? Number.NaN
const silentOf = ({ broken, unanswered }: Outcome): number => broken + unanswered

/** The rules for the responses of any run. */
export const RESPONSES: Rule<Outcome>[] = [
  ({ sids }) => sids.length === 0 && 'nothing was stored',
  (outcome) =>
    outcome.sids.length > 0 && !(p99Of(outcome) <= LONGEST_P99_MS) && `p99 of stored inquiries is ${p99Of(outcome)} ms`,
  ({ wrong, firstWrong }) =>
    !(wrong === 0) && `${wrong} answers were neither 201 nor a specified refusal, first: ${firstWrong}`,
  (outcome) => !(silentOf(outcome) === 0) && `${silentOf(outcome)} requests were never answered`,
]

/** The outcome of a flood, and its parameters. */
export interface Flooded extends Outcome {
  /** The rate that was offered, and the rate that the server can take. */
  offered: number
  capacity: number
  /** 429 if one site exceeds its share, 503 if several use up the node's capacity. */
  refusedWith: 429 | 503
}

/** How many inquiries must be stored. */
function leastTaken({ offered, capacity, seconds }: Flooded): number {
  const left = 1 - (offered - capacity) * REFUSAL_S
  return Math.min(MIN_TAKEN.to, Math.max(MIN_TAKEN.from, left / 2)) * capacity * seconds
}

/** The rules for a flood. */
export const FLOODED: Rule<Flooded>[] = [
  ...RESPONSES,
  (flood) =>
    !wasOffered(flood, flood.offered) &&
    `only ${Math.round(flood.sent / flood.seconds)} a second could be sent, not ${Math.round(flood.offered)}`,
  (flood) =>
    flood.sids.length > 0 &&
    !(flood.sids.length >= leastTaken(flood)) &&
    `only ${flood.sids.length} were stored, where ${Math.round(leastTaken(flood))} are required`,
  ({ refused, refusedWith }) => !(Number(refused[refusedWith]) > 0) && `no request was refused with ${refusedWith}`,
]

/** The rates at which inquiries were stored before and after a flood. */
export const RECOVERY: Rule<{ before: number; after: number }>[] = [
  ({ before, after }) =>
    !(before > 0 && after >= before * MIN_RECOVERED) &&
    `after the flood only ${Math.round(after)} a second were stored, before it ${Math.round(before)}`,
]

/** A well-behaved caller, and how many requests it should have sent. */
interface Polite extends PoliteResult {
  name: string
  expected: number
}

/** The rules for well-behaved callers. */
export const POLITE: Rule<Polite>[] = [
  ({ name, wrong }) => wrong.length > 0 && `well-behaved ${name} got ${wrong.length} wrong answers, first: ${wrong[0]}`,
  ({ name, p99 }) =>
    p99 !== undefined && !(p99 <= LONGEST_P99_MS) && `p99 of well-behaved ${name} is ${p99.toFixed(0)} ms`,
  ({ name, sent, expected }) =>
    !(sent > 0 && sent >= expected * MIN_POLITE) && `well-behaved ${name} sent only ${sent} requests, not ${expected}`,
  ({ name, served, sent }) =>
    sent > 0 && !(served >= sent * MIN_POLITE) && `well-behaved ${name} were served ${served} of ${sent} times`,
]

/** The memory of a process in MiB: before a flood, during it, and after it has settled. */
export interface Memory {
  before: number
  during: readonly number[]
  after: number
}

/** The growth in the second half of a flood. By then the connections have their memory; more is a leak. */
export const grownWithin = ({ during }: Pick<Memory, 'during'>): number => quarter(during, 4) - quarter(during, 2)

/** The rules for memory. */
export const MEMORY: Rule<Memory>[] = [
  ({ before, during, after }) =>
    !(during.length >= MIN_SAMPLES && [before, ...during, after].every((mib) => mib > 0)) && 'memory was not measured',
  ({ before, after }) => after - before > MAX_GROWTH_MIB && `memory grew by ${(after - before).toFixed(0)} MiB`,
  (memory) =>
    grownWithin(memory) > MAX_GROWTH_MIB &&
    `memory still grew by ${grownWithin(memory).toFixed(0)} MiB in the second half of the flood`,
]
