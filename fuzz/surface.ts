import type fc from 'fast-check'
import type { Store } from '../src/store/db.ts'
import type { Fault } from './check.ts'

/** How one request went. */
export interface Asking {
  fault: Fault | undefined
  /** 0 where nothing was answered. */
  status: number
  /** What took it, where something did: an operation of the contract, or the role of whoever was let in. */
  takenBy?: string | undefined
  /** The request for a terminal. */
  curl(): string
}

/** A side of the server that can be asked things: the APIs of the contract, or the pages of people. */
export interface Surface<T = unknown> {
  name: string
  store: Store
  /** Any request, from valid to hostile; what it says is the same for a seed, whatever the stage. */
  any: fc.Arbitrary<T>
  ask(asked: T): Promise<Asking>
  /** Whether a request of this kind may change something when it is taken. */
  changes(asked: T): boolean
  /** Everything that belongs to others, as one value. */
  foreign(): Promise<string>
  /** Brings back a little of what requests have used up. */
  renew(): Promise<void>
  /** Whether so much is used up that it cannot wait. */
  isSpoilt?(): Promise<boolean>
  stop(): Promise<void>
}

/** A failure of ours says nothing to whoever asked; the server's log says what it was. */
export function explained(fault: Fault | undefined, logged: () => string): Fault | undefined {
  if (fault?.kind !== 'server error') return fault
  const line = logged()
    .split('\n')
    .findLast((each) => each.includes('a request failed'))
  return line ? { ...fault, says: `${fault.says} ${JSON.parse(line).err.stack}` } : fault
}
