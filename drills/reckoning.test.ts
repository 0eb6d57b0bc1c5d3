import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newTally, type Tally } from './load.ts'
import { type Counts, type Done, faultsOf } from './reckoning.ts'

const counts: Counts = {
  ...{ committed: 3, received: 3, lost: 0, forgotten: 0, unknown: 0 },
  ...{ uninvited: 0, letters: 1, lettersWaiting: 0 },
}
const tally = (other: Partial<Tally> = {}): Tally => ({
  ...newTally(),
  ...{ requests: 4, acknowledged: new Set(['a', 'b', 'c']), invited: new Set(['a@b.test']) },
  ...other,
})
const done = { fallen: [] }

describe('drills: what is judged of events that were made under a fault', () => {
  it('all acknowledged, committed and received holds, whoever was refused with 503 meanwhile', () => {
    assert.deepEqual(faultsOf(counts, tally({ announced: 7 }), { ...done, letters: true }), [])
  })

  it('lost connections hold only where whoever answers was killed', () => {
    assert.deepEqual(faultsOf(counts, tally({ broken: 2 }), { ...done, mayBreak: true }), [])
  })

  const BAD: [string, Partial<Counts>, Partial<Tally>, Partial<Done>, RegExp][] = [
    ['nothing happened', {}, newTally(), {}, /nothing was acknowledged/],
    ['nothing is in the store', { committed: 0, received: 0 }, {}, {}, /nothing was committed/],
    ['nothing arrived', { received: 0 }, {}, {}, /nothing was committed or received/],
    ['an event is lost', { lost: 1 }, {}, {}, /1 events were committed and never received/],
    ['an event is forgotten', { forgotten: 1 }, {}, {}, /1 events were acknowledged and are not there/],
    ['an event came from nowhere', { unknown: 1 }, {}, {}, /1 events were received that are not there/],
    ['an invitation is gone', { uninvited: 1 }, {}, {}, /1 invitations were acknowledged/],
    ['a letter waits', { lettersWaiting: 1 }, {}, {}, /1 letters still wait/],
    ['no letter was written', { letters: 0 }, {}, { letters: true }, /no letter was written/],
    ['nobody was invited', {}, { invited: new Set() }, { letters: true }, /no letter was written/],
    ['an answer was a fault', {}, { serverErrors: ['500 x'] }, {}, /1 answers were faults of the server, first: 500 x/],
    ['an answer was unexpected', {}, { others: ['404 x'] }, {}, /neither a yes nor a 503, first: 404 x/],
    ['a connection was lost for no reason', {}, { broken: 1 }, {}, /1 requests got no answer/],
    ['a process ended by itself', {}, {}, { fallen: ['worker 1 ended by itself (1)'] }, /worker 1 ended by itself/],
  ]
  for (const [name, otherCounts, otherTally, otherDone, says] of BAD)
    it(`fails where ${name}`, () => {
      const faults = faultsOf({ ...counts, ...otherCounts }, tally(otherTally), { ...done, ...otherDone })
      assert.match(faults.join('\n'), says)
    })
})
