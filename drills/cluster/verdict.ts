import type { Rule } from '../rules.ts'

export const KINDS = ['killed', 'frozen', 'cut off'] as const
export type Kind = (typeof KINDS)[number]

/** One leader that was lost, and what the nodes did. */
export interface Lost {
  kind: Kind
  /** The longest time without an acknowledged write; NaN if none was acknowledged afterwards. */
  withoutWritesMs: number
  /** Connections of ours to the former leader while it accepted writes again beside the new one. */
  strays: number
}

interface Leaders {
  lost: readonly Lost[]
  expected: number
  /** Timelines of the cluster at first and at last: each new leader begins one. */
  timelines: readonly [number, number]
  acknowledged: number
}

export const CLUSTER: Rule<Leaders>[] = [
  ({ acknowledged }) => !(acknowledged > 0) && 'nothing was acknowledged',
  ({ lost, expected }) => !(lost.length === expected) && `${lost.length} of ${expected} leaders were lost`,
  ({ lost, timelines: [first, last] }) =>
    !(last - first >= lost.length) && `the timeline went from ${first} to ${last}: not every leader was replaced`,
  ({ lost }) =>
    lost.flatMap(({ kind, withoutWritesMs }) =>
      withoutWritesMs > 0 ? [] : [`no write was acknowledged after a leader was ${kind}`],
    ),
  ({ lost }) =>
    lost.flatMap(({ kind, strays }) =>
      strays === 0 ? [] : [`${strays} connections stayed on a former leader that was ${kind}`],
    ),
]
