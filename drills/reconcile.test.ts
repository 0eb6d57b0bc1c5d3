import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTally, type Tally } from './load.ts'
import { type Reconciled, RULES } from './reconcile.ts'
import { violationsOf } from './rules.ts'
import { testRules } from './test-rules.ts'

const TALLY: Tally = {
  ...createTally(),
  requests: 4,
  acknowledged: new Set(['a', 'b', 'c']),
  invited: new Set(['a@b.test']),
}
const GOOD: Reconciled = {
  committed: 3,
  received: 3,
  lost: 0,
  uncommitted: 0,
  unknown: 0,
  missingInvitations: 0,
  withoutEmail: 0,
  emails: 1,
  undelivered: 0,
  tally: TALLY,
  injected: { crashes: [], emails: true },
}
const tally = (other: Partial<Tally>) => ({ tally: { ...TALLY, ...other } })

testRules('drills: rules for events created under a fault', RULES, {
  good: GOOD,
  nothing: { ...GOOD, committed: 0, received: 0, emails: 0, tally: createTally(), injected: { crashes: [] } },
  bad: [
    ['nothing was acknowledged', tally({ acknowledged: new Set() }), /nothing was acknowledged/],
    ['nothing is in the store', { committed: 0, received: 0 }, /nothing was committed/],
    ['nothing arrived', { received: 0 }, /nothing was committed or received/],
    ['an event is lost', { lost: 1 }, /1 events were committed and never received/],
    ['an acknowledged event is not stored', { uncommitted: 1 }, /1 events were acknowledged and are not stored/],
    ['an unknown event was received', { unknown: 1 }, /1 events were received that are not stored/],
    ['an invitation is not stored', { missingInvitations: 1 }, /1 invitations were acknowledged/],
    ['an invitation has no email', { withoutEmail: 1 }, /1 invitations have no email/],
    ['an email is pending or was given up', { undelivered: 1 }, /1 emails are pending or were given up/],
    ['no email was written', { emails: 0 }, /no email was written/],
    ['nobody was invited', tally({ invited: new Set() }), /no email was written/],
    ['an answer was a server error', tally({ serverErrors: ['500 x'] }), /1 answers were server errors, first: 500 x/],
    ['an answer was unexpected', tally({ others: ['404 x'] }), /neither a success nor a 503, first: 404 x/],
    ['a connection was lost for no reason', tally({ broken: 1 }), /1 requests got no answer/],
    [
      'a process ended by itself',
      { injected: { crashes: ['worker 1 ended by itself (1)'] } },
      /worker 1 ended by itself/,
    ],
  ],
})

describe('drills: allowed effects of a fault', () => {
  it('503 answers are allowed', () =>
    assert.deepEqual(violationsOf(RULES, { ...GOOD, ...tally({ announced: 7 }) }), []))

  it('broken connections are allowed if the server was killed', () =>
    assert.deepEqual(
      violationsOf(RULES, { ...GOOD, ...tally({ broken: 2 }), injected: { crashes: [], canBreak: true } }),
      [],
    ))

  it('a load without invitations needs no email', () =>
    assert.deepEqual(violationsOf(RULES, { ...GOOD, ...tally({ invited: new Set() }), injected: { crashes: [] } }), []))
})
