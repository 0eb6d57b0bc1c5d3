import { ROLES } from '../tests/isolation/pages.ts'
import type { Totals } from './campaign.ts'
import { OPERATIONS } from './contract.ts'

/** What must have been taken on a side of the server, and within how many requests each of it once. */
interface Side {
  names: readonly string[]
  oneIn: number
}

const SIDES: Record<string, Side> = {
  API: { names: OPERATIONS.map(({ operationId }) => operationId), oneIn: 5_000 },
  pages: { names: ROLES, oneIn: 500 },
}

/** Of all requests so many must have been taken, and so many refused and looked at for what they left behind. */
const LEAST_TAKEN = 0.1
const LEAST_REFUSED = 0.05

/** What a run asked too little of to show anything, in words: where nobody gets in, nothing that goes wrong inside is seen. */
export function tooLittle(
  side: string,
  asked: number,
  totals: Pick<Totals, 'requests' | 'taken' | 'refusals'>,
): string[] {
  const { names, oneIn } = SIDES[side] ?? { names: [], oneIn: 1 }
  const { requests, taken, refusals } = totals
  const count = (name: string) => taken[name] ?? 0
  const all = names.reduce((sum, name) => sum + count(name), 0)
  const each = Math.floor(asked / oneIn)
  // A run that is too small for each of them still comes to many: those that are asked often come first.
  const most = Math.floor(names.length * Math.min(1, Math.sqrt(asked / oneIn)))
  const known = names.filter((name) => count(name) > 0).length
  const least = (share: number) => Math.floor(asked * share)
  return [
    ...(requests < asked ? [`${requests} requests were sent of ${asked}`] : []),
    ...(all < least(LEAST_TAKEN) ? [`${all} requests were taken, at least ${least(LEAST_TAKEN)} are needed`] : []),
    ...(refusals < least(LEAST_REFUSED)
      ? [`${refusals} refusals were looked at for what they left, at least ${least(LEAST_REFUSED)} are needed`]
      : []),
    ...(known < most ? [`${known} of ${names.length} took anything, at least ${most} are needed`] : []),
    ...names
      .filter((name) => count(name) < each)
      .map((name) => `${name} took ${count(name)}, at least ${each} are needed`),
  ]
}
