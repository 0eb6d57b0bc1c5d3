import type { Rule } from '../rules.ts'

/** With more deliveries than this, a receiver that sometimes fails has failed at least once. */
const MANY = 200

/** The kills, and the load during them. */
interface Kills {
  /** How often each process was killed. */
  killed: ReadonlyMap<string, number>
  /** Kills without a request in flight, or without an acknowledged and a received event since the last kill. */
  idle: number
  /** Deliveries whose server was killed, and that another process delivered when their lease ended. */
  takenOver: number
  received: number
  /** Calls that the receiver answered with 500. */
  refused: number
}

export const KILL: Rule<Kills>[] = [
  ({ killed }) => killed.size === 0 && 'there was nothing to kill',
  ({ killed }) => [...killed].flatMap(([name, times]) => (times > 0 ? [] : [`${name} was never killed`])),
  ({ idle }) => !(idle === 0) && `${idle} kills came without load`,
  ({ takenOver }) => !(takenOver > 0) && 'no delivery of a killed server was taken over',
  ({ received, refused }) => received > MANY && !(refused > 0) && 'the receiver never failed',
]
