import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTally, type Tally } from './load.ts'
import { RECONCILIATION, type Reconciled } from './reconcile.ts'
import { violationsOf } from './rules.ts'
import { testRules } from './test-rules.ts'

const TALLY: Tally = {
  ...createTally(),
  ...{ requests: 4, acknowledged: new Set(['a', 'b', 'c']), invited: new Set(['a@b.test']) },
}
const GOOD: Reconciled = {
  ...{ committed: 3, received: 3, lost: 0, uncommitted: 0, unknown: 0 },
  ...{ missingInvitations: 0, withoutEmail: 0, emails: 1, undelivered: 0 },
  ...{ tally: TALLY, done: { crashes: [], emails: true } },
}
const tally = (other: Partial<Tally>) => ({ tally: { ...TALLY, ...other } })

testRules('drills: what is judged of events that were made under a fault', RECONCILIATION, {
  good: GOOD,
  nothing: { ...GOOD, committed: 0, received: 0, emails: 0, tally: createTally(), done: { crashes: [] } },
  bad: [
    ['nothing was acknowledged', tally({ acknowledged: new Set() }), /nothing was acknowledged/],
    ['nothing is in the store', { committed: 0, received: 0 }, /nothing was committed/],
    ['nothing arrived', { received: 0 }, /nothing was committed or received/],
    ['an event is lost', { lost: 1 }, /1 events were committed and never received/],
    ['an event is forgotten', { uncommitted: 1 }, /1 events were acknowledged and are not there/],
    ['an event came from nowhere', { unknown: 1 }, /1 events were received that are not there/],
    ['an invitation is gone', { missingInvitations: 1 }, /1 invitations were acknowledged/],
    ['an invitation has no letter', { withoutEmail: 1 }, /1 invitations have no letter/],
    ['a letter waits, or was given up', { undelivered: 1 }, /1 letters wait or were given up/],
    ['no letter was written', { emails: 0 }, /no letter was written/],
    ['nobody was invited', tally({ invited: new Set() }), /no letter was written/],
    ['an answer was a fault', tally({ serverErrors: ['500 x'] }), /1 answers were faults of the server, first: 500 x/],
    ['an answer was unexpected', tally({ others: ['404 x'] }), /neither a yes nor a 503, first: 404 x/],
    ['a connection was lost for no reason', tally({ broken: 1 }), /1 requests got no answer/],
    ['a process ended by itself', { done: { crashes: ['worker 1 ended by itself (1)'] } }, /worker 1 ended by itself/],
  ],
})

describe('drills: what is no fault', () => {
  it('whoever was refused with 503 meanwhile', () =>
    assert.deepEqual(violationsOf(RECONCILIATION, { ...GOOD, ...tally({ announced: 7 }) }), []))

  it('connections that are lost where whoever answers was killed', () =>
    assert.deepEqual(
      violationsOf(RECONCILIATION, { ...GOOD, ...tally({ broken: 2 }), done: { crashes: [], canBreak: true } }),
      [],
    ))

  it('that no letter was written where none was asked for', () =>
    assert.deepEqual(
      violationsOf(RECONCILIATION, { ...GOOD, ...tally({ invited: new Set() }), done: { crashes: [] } }),
      [],
    ))
})
