import type { Rule } from '../rules.ts'

/** A revoked app is refused within a second on every node (docs/decisions/api.md). */
const HIDDEN_MS = 1_000
/** With room for a busy machine: a command takes less than a second, and a lock that stays was waited for without end. */
const COMMAND_MS = 30_000

/** What happened behind the pooler. */
interface Pooled {
  /** How often the pooler was killed under load. */
  restarts: number
  /** Restarts after which nothing was acknowledged before the next. */
  idle: number
  /** The longest time until a disabled app was refused, by the node with a direct address and by the one without. */
  hiddenMs: number
  hiddenWithoutDirectMs: number
  /** The longest of the commands that ran under load; undefined if one failed. */
  slowestCommandMs: number | undefined
  /** Advisory locks that were left behind. */
  locksLeft: number
  /** PostgreSQL's connections with the pooler, at most, and what the pools of the nodes add up to. */
  connections: number
  poolsTogether: number
  /** What a server says to a pooler before 1.21; `missing` if there is none here. */
  tooOld: string
}

export const POOLER: Rule<Pooled>[] = [
  ({ restarts }) => !(restarts > 0) && 'the pooler was never killed',
  ({ idle }) => !(idle === 0) && `after ${idle} restarts nothing was acknowledged`,
  ({ hiddenMs: ms }) => !(ms <= HIDDEN_MS) && `a disabled app was served for ${ms.toFixed(0)} ms`,
  ({ hiddenWithoutDirectMs: ms }) =>
    !(ms <= HIDDEN_MS) && `without DATABASE_DIRECT_URL a disabled app was served for ${ms.toFixed(0)} ms`,
  ({ slowestCommandMs: ms }) => !(Number(ms) <= COMMAND_MS) && 'a command hung or failed',
  ({ locksLeft }) => !(locksLeft === 0) && `${locksLeft} advisory locks stayed with pooled connections`,
  ({ connections, poolsTogether }) =>
    !(connections > 0 && connections < poolsTogether) && `${connections} connections: the pooler shared none`,
  ({ tooOld }) => !/^missing$|prepared statements/.test(tooOld) && `a pooler before 1.21 was not refused: ${tooOld}`,
]
