import { ROLES } from '../tests/isolation/pages.ts'
import type { Totals } from './campaign.ts'
import { OPERATIONS } from './contract.ts'

/** The operations or roles that must have accepted a request, each one in so many. */
interface Coverage {
  names: readonly string[]
  oneIn: number
}

const COVERAGE: Record<string, Coverage> = {
  API: { names: OPERATIONS.map(({ operationId }) => operationId), oneIn: 5_000 },
  pages: { names: ROLES, oneIn: 500 },
}

/** The shares of all requests that must be accepted, and refused and checked for side effects. */
const MIN_ACCEPTED = 0.1
const MIN_REFUSED = 0.05

/** What a run covered too little of: if nothing is accepted, faults behind validation are not found. */
export function coverageGaps(
  side: string,
  planned: number,
  totals: Pick<Totals, 'requests' | 'accepted' | 'refusals'>,
): string[] {
  const { names, oneIn } = COVERAGE[side] ?? { names: [], oneIn: 1 }
  const { requests, accepted, refusals } = totals
  const count = (name: string) => accepted[name] ?? 0
  const all = names.reduce((sum, name) => sum + count(name), 0)
  const each = Math.floor(planned / oneIn)
  // A run too small to cover each of them must still cover many.
  const most = Math.floor(names.length * Math.min(1, Math.sqrt(planned / oneIn)))
  const known = names.filter((name) => count(name) > 0).length
  const least = (share: number) => Math.floor(planned * share)
  return [
    ...(requests < planned ? [`${requests} requests were sent of ${planned}`] : []),
    ...(all < least(MIN_ACCEPTED) ? [`${all} requests were accepted, at least ${least(MIN_ACCEPTED)} are needed`] : []),
    ...(refusals < least(MIN_REFUSED)
      ? [`${refusals} refusals were checked for side effects, at least ${least(MIN_REFUSED)} are needed`]
      : []),
    ...(known < most ? [`${known} of ${names.length} accepted a request, at least ${most} are needed`] : []),
    ...names
      .filter((name) => count(name) < each)
      .map((name) => `${name} accepted ${count(name)}, at least ${each} are needed`),
  ]
}
