import type { Rule } from '../rules.ts'

/** What was seen of a primary's end. */
export interface Failover {
  /** Requests that were under way while the standby took nothing, until the kill. */
  waited: number
  /** Acknowledged before the kill, and after it. */
  before: number
  after: number
  /** Refused, or left without an answer, from the kill until somebody was served again. */
  refused: number
  /** From the kill until then; none where nobody was. */
  servedAfterMs: number | undefined
}

export const FAILOVER: Rule<Failover>[] = [
  ({ before }) => !(before > 0) && 'nothing was acknowledged before the kill',
  ({ waited }) => !(waited > 0) && 'nobody waited for the standby: what is acknowledged need not be there',
  ({ refused }) => !(refused > 0) && 'nobody was refused: the primary was not gone',
  ({ after }) => !(after > 0) && 'nothing was acknowledged after the kill',
  ({ servedAfterMs }) => !(Number(servedAfterMs) >= 0) && 'nobody was served again',
]
