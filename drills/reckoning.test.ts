import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultsOf } from './faults.ts'
import { newTally, type Tally } from './load.ts'
import { RECKONING, type Reckoned } from './reckoning.ts'
import { tryRules } from './tried.ts'

const TALLY: Tally = {
  ...newTally(),
  ...{ requests: 4, acknowledged: new Set(['a', 'b', 'c']), invited: new Set(['a@b.test']) },
}
const GOOD: Reckoned = {
  ...{ committed: 3, received: 3, lost: 0, forgotten: 0, unknown: 0 },
  ...{ uninvited: 0, unwritten: 0, letters: 1, uncarried: 0 },
  ...{ tally: TALLY, done: { fallen: [], letters: true } },
}
const tally = (other: Partial<Tally>) => ({ tally: { ...TALLY, ...other } })

tryRules('drills: what is judged of events that were made under a fault', RECKONING, {
  good: GOOD,
  nothing: { ...GOOD, committed: 0, received: 0, letters: 0, tally: newTally(), done: { fallen: [] } },
  bad: [
    ['nothing was acknowledged', tally({ acknowledged: new Set() }), /nothing was acknowledged/],
    ['nothing is in the store', { committed: 0, received: 0 }, /nothing was committed/],
    ['nothing arrived', { received: 0 }, /nothing was committed or received/],
    ['an event is lost', { lost: 1 }, /1 events were committed and never received/],
    ['an event is forgotten', { forgotten: 1 }, /1 events were acknowledged and are not there/],
    ['an event came from nowhere', { unknown: 1 }, /1 events were received that are not there/],
    ['an invitation is gone', { uninvited: 1 }, /1 invitations were acknowledged/],
    ['an invitation has no letter', { unwritten: 1 }, /1 invitations have no letter/],
    ['a letter waits, or was given up', { uncarried: 1 }, /1 letters wait or were given up/],
    ['no letter was written', { letters: 0 }, /no letter was written/],
    ['nobody was invited', tally({ invited: new Set() }), /no letter was written/],
    ['an answer was a fault', tally({ serverErrors: ['500 x'] }), /1 answers were faults of the server, first: 500 x/],
    ['an answer was unexpected', tally({ others: ['404 x'] }), /neither a yes nor a 503, first: 404 x/],
    ['a connection was lost for no reason', tally({ broken: 1 }), /1 requests got no answer/],
    ['a process ended by itself', { done: { fallen: ['worker 1 ended by itself (1)'] } }, /worker 1 ended by itself/],
  ],
})

describe('drills: what is no fault', () => {
  it('whoever was refused with 503 meanwhile', () =>
    assert.deepEqual(faultsOf(RECKONING, { ...GOOD, ...tally({ announced: 7 }) }), []))

  it('connections that are lost where whoever answers was killed', () =>
    assert.deepEqual(
      faultsOf(RECKONING, { ...GOOD, ...tally({ broken: 2 }), done: { fallen: [], mayBreak: true } }),
      [],
    ))

  it('that no letter was written where none was asked for', () =>
    assert.deepEqual(faultsOf(RECKONING, { ...GOOD, ...tally({ invited: new Set() }), done: { fallen: [] } }), []))
})
