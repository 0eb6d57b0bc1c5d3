import type { Rule } from '../rules.ts'

/** What happened before and after the primary was killed. */
interface Failover {
  /** Requests that waited for the held standby until the kill. */
  waited: number
  /** Acknowledged before the kill, and after it. */
  before: number
  after: number
  /** Refused or unanswered from the kill until a request was served again. */
  refused: number
  /** From the kill until then; undefined if none was served. */
  servedAfterMs: number | undefined
}

export const FAILOVER: Rule<Failover>[] = [
  ({ before }) => !(before > 0) && 'nothing was acknowledged before the kill',
  ({ waited }) => !(waited > 0) && 'no request waited for the standby: acknowledged data may be missing there',
  ({ refused }) => !(refused > 0) && 'no request was refused: the primary was not gone',
  ({ after }) => !(after > 0) && 'nothing was acknowledged after the kill',
  ({ servedAfterMs }) => !(Number(servedAfterMs) >= 0) && 'no request was served again',
]
