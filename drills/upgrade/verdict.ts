import type { Changed } from '../fingerprint.ts'
import type { Rule } from '../rules.ts'

/** A value for each of the two nodes. */
interface Nodes<T> {
  old: T
  new: T
}

/** What happened while a new version ran beside an old one. */
export interface Upgrade {
  /** The migrations that should have run while the old node served, and those that did. */
  added: readonly string[]
  ran: readonly string[]
  /** What there was to compare: rows, and lists that were empty from the start. */
  rows: number
  emptyLists: readonly string[]
  /** What changed: rows, and the paths whose response of a node differs. */
  changed: readonly Changed[]
  changedPaths: Nodes<readonly string[]>
  /** The status of a page for a user who signed in on the old node. */
  session: Nodes<number>
  /** Inquiries of each node that were sent again to the other, and how many were recognised. */
  sentAgain: Nodes<number>
  recognised: number
  /** How often each action succeeded. */
  actions: Nodes<ReadonlyMap<string, number>>
  /** Answers of the old node during the migration, and afterwards beside the new one. */
  meanwhile: number
  beside: number
  /** Deliveries by the old node after the migration, those among them for the new node, and deliveries by the new node. */
  byOld: number
  forNew: number
  byNew: number
  /** 503 answers, inquiries without a delivered event, agencies with wrong counters. */
  refused: number
  withoutEvent: number
  miscounted: number
}

const of = <T>(nodes: Nodes<T>): ['old' | 'new', T][] => [
  ['old', nodes.old],
  ['new', nodes.new],
]

export const UPGRADE: Rule<Upgrade>[] = [
  ({ rows }) => !(rows > 0) && 'there was nothing to lose',
  ({ ran, added }) => ran.join() !== added.join() && `${ran.length} of ${added.length} migrations were run`,
  ({ emptyLists }) => emptyLists.map((each) => `there was nothing to compare in ${each}`),
  ({ changed }) => changed.map(({ table, rows, of }) => `${rows} of ${of} rows of ${table} are missing or changed`),
  ({ changedPaths }) =>
    of(changedPaths).flatMap(([node, paths]) => paths.map((path) => `the answer of the ${node} node changed: ${path}`)),
  ({ session }) =>
    of(session).flatMap(([node, status]) =>
      status === 200 ? [] : [`the session is not valid on the ${node} node (${status})`],
    ),
  ({ sentAgain }) =>
    of(sentAgain).flatMap(([node, sent]) => (sent > 0 ? [] : [`no inquiry of the ${node} node was sent again`])),
  ({ recognised, sentAgain }) =>
    !(recognised === sentAgain.old + sentAgain.new) &&
    'an inquiry that one node had stored was stored again by the other',
  ({ actions }) =>
    of(actions).flatMap(([node, done]) => (done.size > 0 ? [] : [`there was no workload on the ${node} node`])),
  ({ actions }) =>
    of(actions).flatMap(([node, done]) =>
      [...done].flatMap(([action, times]) => (times > 0 ? [] : [`${action} never succeeded on the ${node} node`])),
    ),
  ({ meanwhile }) => !(meanwhile > 0) && 'there was no request while the new node migrated',
  ({ beside }) => !(beside > 0) && 'the old node served nothing beside the new one',
  ({ byOld }) => !(byOld > 0) && 'the old node delivered nothing after the migration',
  ({ forNew }) => !(forNew > 0) && 'the old node delivered nothing for the new one',
  ({ byNew }) => !(byNew > 0) && 'the new node delivered nothing',
  ({ refused }) => !(refused === 0) && `${refused} requests were refused`,
  ({ withoutEvent: count }) => !(count === 0) && `${count} inquiries were acknowledged without a delivered event`,
  ({ miscounted }) => !(miscounted === 0) && `the counters of ${miscounted} agencies are wrong`,
]
