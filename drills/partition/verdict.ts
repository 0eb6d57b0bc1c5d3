import type { Rule } from '../rules.ts'

/** By then the circuit breaker (store/circuit-breaker.ts) is open: 1.5 s of silence, then a probe of 5.5 s without an answer. */
export const NOTICED_MS = 10_000
const AT_ONCE_MS = 1_000
const MAX_MS = 12_000

/** What happened while the database was unreachable. */
export interface Partition {
  /** Acknowledged before it. */
  before: number
  /** Of the requests meanwhile: refused with 503, and answered otherwise. */
  refused: number
  others: number
  longestMs: number
  /** Requests after detection: how many, and the longest. */
  known: number
  longestKnownMs: number
  /** The most requests in flight, and how many arrive until detection. */
  mostWaiting: number
  comeUntilNoticed: number
  /** From the return of the network until a request was served; undefined if none was. */
  recoveredMs: number | undefined
}

export const PARTITION: Rule<Partition>[] = [
  ({ before }) => !(before > 0) && 'nothing was acknowledged before',
  ({ refused }) => !(refused > 0) && 'no request was refused: the database was reachable',
  ({ others }) => !(others === 0) && `${others} requests during the partition were not answered with 503`,
  ({ longestMs }) => !(longestMs <= MAX_MS) && `an answer took ${longestMs.toFixed(0)} ms`,
  ({ known }) => !(known > 0) && 'no request came after the partition was detected',
  ({ longestKnownMs: ms }) => !(ms <= AT_ONCE_MS) && `a refusal took ${ms.toFixed(0)} ms after detection`,
  ({ mostWaiting, comeUntilNoticed }) =>
    !(mostWaiting <= comeUntilNoticed) &&
    `${mostWaiting} requests waited at once, more than arrive in ${NOTICED_MS / 1_000} s`,
  ({ recoveredMs }) => !(Number(recoveredMs) >= 0) && 'no request was served again',
]
