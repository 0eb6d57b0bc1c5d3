import type { Rule } from '../rules.ts'

/** By then the silence has been noticed (store/circuit-breaker.ts): two failed questions of 2 s. */
export const NOTICED_MS = 10_000
const AT_ONCE_MS = 1_000
const LONGEST_MS = 12_000

/** What was seen of a time without a database. */
export interface Partition {
  /** Acknowledged before it. */
  before: number
  /** Of what was asked meanwhile: refused with 503, and answered otherwise. */
  refused: number
  others: number
  longestMs: number
  /** Of what was asked once the silence was known: how many, and the longest. */
  known: number
  longestKnownMs: number
  /** The most requests that waited at once, and how many come in the time in which the silence is noticed. */
  mostWaiting: number
  comeUntilNoticed: number
  /** From the mending until somebody was served; none where nobody was. */
  recoveredMs: number | undefined
}

export const PARTITION: Rule<Partition>[] = [
  ({ before }) => !(before > 0) && 'nothing was acknowledged before',
  ({ refused }) => !(refused > 0) && 'nobody was refused: the database was not away',
  ({ others }) => !(others === 0) && `${others} requests of the time without a database were not answered with 503`,
  ({ longestMs }) => !(longestMs <= LONGEST_MS) && `an answer took ${longestMs.toFixed(0)} ms`,
  ({ known }) => !(known > 0) && 'nobody asked once the silence was known',
  ({ longestKnownMs: ms }) => !(ms <= AT_ONCE_MS) && `a refusal took ${ms.toFixed(0)} ms though it was known`,
  ({ mostWaiting, comeUntilNoticed }) =>
    !(mostWaiting <= comeUntilNoticed) &&
    `${mostWaiting} requests waited at once, more than come in ${NOTICED_MS / 1_000} s`,
  ({ recoveredMs }) => !(Number(recoveredMs) >= 0) && 'nobody was served again',
]
