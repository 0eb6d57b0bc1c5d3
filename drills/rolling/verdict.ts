import type { Rule } from '../rules.ts'

/** The restarts behind one balancer, and the calls during them. */
export interface Behind {
  balancer: string
  restarts: number
  calls: number
  /** Calls that got no answer or any but a success; the first few are described. */
  failed: number
  first: string
}

interface Rolling {
  behind: readonly Behind[]
  /** Processes to restart behind each balancer. */
  expected: number
}

const EACH: ((each: Behind, expected: number) => string | false)[] = [
  ({ balancer, calls }) => !(calls > 0) && `no call was sent through ${balancer}`,
  ({ balancer, restarts }, expected) =>
    !(restarts === expected) && `${restarts} of ${expected} restarts were made behind ${balancer}`,
  ({ balancer, failed, calls, first }) =>
    !(failed === 0) && `${failed} of ${calls} calls through ${balancer} failed, first: ${first}`,
]

export const ROLLING: Rule<Rolling>[] = [
  ({ behind }) => behind.length === 0 && 'there was no balancer',
  ...EACH.map(
    (check): Rule<Rolling> =>
      ({ behind, expected }) =>
        behind.flatMap((each) => check(each, expected) || []),
  ),
]
