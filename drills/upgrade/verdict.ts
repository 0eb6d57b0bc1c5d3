import type { Changed } from '../fingerprint.ts'
import type { Rule } from '../rules.ts'

/** What each of the two nodes did or said. */
export interface Nodes<T> {
  old: T
  new: T
}

/** What was seen while a new version came beside an old one. */
export interface Upgrade {
  /** The migrations that were to be run under the old node, and those that were. */
  added: readonly string[]
  ran: readonly string[]
  /** What of the past was there to be read: rows; and lists that were empty from the start. */
  rows: number
  unread: readonly string[]
  /** What of the past is not as it was: rows; and addresses at which a node tells otherwise. */
  changed: readonly Changed[]
  retold: Nodes<readonly string[]>
  /** Statuses of a page that is for whoever had signed in at the old node. */
  session: Nodes<number>
  /** Inquiries that each had taken and the other was sent again, and how many of all were known there. */
  sentAgain: Nodes<number>
  recognised: number
  /** How often each act was done at each. */
  acts: Nodes<ReadonlyMap<string, number>>
  /** Answers of the old node while the new one migrated, and beside it after that. */
  meanwhile: number
  beside: number
  /** Deliveries of the old one after the migration, those of them that the new one had made, and of the new one alone. */
  byOld: number
  forNew: number
  byNew: number
  /** Requests refused with 503, inquiries that nobody was told of, agencies whose counts are wrong. */
  refused: number
  unheard: number
  miscounted: number
}

const of = <T>(nodes: Nodes<T>): ['old' | 'new', T][] => [
  ['old', nodes.old],
  ['new', nodes.new],
]

export const UPGRADE: Rule<Upgrade>[] = [
  ({ rows }) => !(rows > 0) && 'there was nothing that could be lost',
  ({ ran, added }) =>
    ran.join() !== added.join() && `${ran.length} migrations were run, and ${added.length} were to be`,
  ({ unread }) => unread.map((each) => `nothing of the past was read: ${each}`),
  ({ changed }) => changed.map(({ table, rows, of }) => `${rows} of ${of} rows of ${table} are not as they were`),
  ({ retold }) => of(retold).flatMap(([node, all]) => all.map((path) => `the ${node} node tells ${path} otherwise`)),
  ({ session }) =>
    of(session).flatMap(([node, status]) =>
      status === 200 ? [] : [`whoever had signed in is not signed in at the ${node} node (${status})`],
    ),
  ({ sentAgain }) =>
    of(sentAgain).flatMap(([node, sent]) => (sent > 0 ? [] : [`no inquiry of the ${node} node was sent again`])),
  ({ recognised, sentAgain }) =>
    !(recognised === sentAgain.old + sentAgain.new) &&
    'an inquiry that one node had taken was taken again by the other',
  ({ acts }) =>
    of(acts).flatMap(([node, done]) => (done.size > 0 ? [] : [`there was nothing to be done at the ${node} node`])),
  ({ acts }) =>
    of(acts).flatMap(([node, done]) =>
      [...done].flatMap(([act, times]) => (times > 0 ? [] : [`the ${node} node never let anybody ${act}`])),
    ),
  ({ meanwhile }) => !(meanwhile > 0) && 'nobody asked while the new node migrated',
  ({ beside }) => !(beside > 0) && 'the old node served nobody beside the new one',
  ({ byOld }) => !(byOld > 0) && 'the old node delivered nothing after the migration',
  ({ forNew }) => !(forNew > 0) && 'the old node delivered nothing for the new one',
  ({ byNew }) => !(byNew > 0) && 'the new node delivered nothing',
  ({ refused }) => !(refused === 0) && `${refused} requests were refused`,
  ({ unheard }) => !(unheard === 0) && `${unheard} inquiries were acknowledged, and nobody was told`,
  ({ miscounted }) => !(miscounted === 0) && `the counts of ${miscounted} agencies are wrong`,
]
