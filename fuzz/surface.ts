import type fc from 'fast-check'
import type { Store } from '../src/store/db.ts'
import type { Fault } from './check.ts'

/** The result of one request. */
export interface Result {
  fault: Fault | undefined
  /** 0 if there was no response. */
  status: number
  /** The operation or role that accepted the request. */
  acceptedBy?: string | undefined
  /** The request as a curl command. */
  curl(): string
}

/** A part of the server under test: the APIs of the contract, or the pages. */
export interface Surface<T = unknown> {
  name: string
  store: Store
  /** Any request, from valid to hostile. A seed gives the same requests on any fixture. */
  any: fc.Arbitrary<T>
  send(request: T): Promise<Result>
  /** True if such a request may change data. */
  changes(request: T): boolean
  /** For each table, a digest of the records of other tenants. */
  foreign(): Promise<Map<string, string>>
  /** Restores some of what requests have used up. */
  renew(): Promise<void>
  /** True if so much is used up that it must be restored now. */
  isUsedUp?(): Promise<boolean>
  stop(): Promise<void>
}

/** Adds the stack trace from the server's log: a 500 answer does not contain it. */
export function withStack(fault: Fault | undefined, logged: () => string): Fault | undefined {
  if (fault?.kind !== 'server error') return fault
  const line = logged()
    .split('\n')
    .findLast((each) => each.includes('a request failed'))
  return line ? { ...fault, message: `${fault.message} ${JSON.parse(line).err.stack}` } : fault
}
