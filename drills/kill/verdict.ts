import type { Rule } from '../rules.ts'

/** So many deliveries are not all answered with 200 by a receiver that is ill. */
const MANY = 200

/** What was killed, and what was going on then. */
export interface Kills {
  /** How often each of those that were to be killed was. */
  killed: ReadonlyMap<string, number>
  /** Kills at which no request was under way, or since the last of which nothing was acknowledged or received. */
  idle: number
  received: number
  /** Calls that the receiver answered with 500. */
  refused: number
}

export const KILL: Rule<Kills>[] = [
  ({ killed }) => killed.size === 0 && 'there was nobody to kill',
  ({ killed }) => [...killed].flatMap(([name, times]) => (times > 0 ? [] : [`${name} was never killed`])),
  ({ idle }) => !(idle === 0) && `${idle} kills fell into no load`,
  ({ received, refused }) => received > MANY && !(refused > 0) && 'the receiver never failed',
]
