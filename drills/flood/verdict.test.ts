import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { violationsOf } from '../rules.ts'
import { testRules } from '../test-rules.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import { STORED } from './stored.ts'
import {
  ASKED,
  FLOODED,
  type Flooded,
  LEAST_SAMPLES,
  LONGEST_P99_MS,
  MEMORY,
  MOST_GROWTH_MIB,
  POLITE,
  RECOVERY,
} from './verdict.ts'

/** So many in one millisecond. */
function after(ms: number, count: number): number[] {
  const times: number[] = []
  times[ms] = count
  return times
}

const SIDS = Array.from({ length: 4_500 }, (_, at) => `sid${at}`)
/** Ten seconds of a flood as it must be: ten times the capacity, of which less than half was taken. */
const FLOOD: Flooded = {
  ...createOutcome(),
  ...{ seconds: 10, sent: 100_000, sids: SIDS, servedMs: after(900, SIDS.length), refused: { 429: 95_500 } },
  ...{ offered: 10_000, capacity: 1_000, refusedWith: 429 },
}
const taken = (count: number): Partial<Flooded> => ({ sids: SIDS.slice(0, count) })
const OF_ANYTHING: [string, Partial<Outcome>, RegExp][] = [
  ['everybody was refused', { sids: [], servedMs: [] }, /nothing was taken/],
  ['what was taken waited', { servedMs: after(LONGEST_P99_MS + 1, 4_500) }, /p99 of what was taken is 4001 ms/],
  ['an answer was wrong', { wrong: 1, firstWrong: 'HTTP/1.1 500' }, /1 answers were neither .*HTTP\/1\.1 500/],
  ['a connection broke', { broken: 3 }, /3 requests were never answered/],
  ['nobody answered', { unanswered: 2 }, /2 requests were never answered/],
]

testRules('flood: what is judged of whatever is asked', ASKED, {
  ...{ good: FLOOD, nothing: createOutcome(), bad: OF_ANYTHING },
})

testRules('flood: what is judged of the flood', FLOODED, {
  good: FLOOD,
  nothing: { ...FLOOD, ...createOutcome() },
  bad: [
    ...OF_ANYTHING,
    ['a handful was taken, however soon', taken(2_499), /only 2499 .* 2500 are the least/],
    ['the clients could not ask as often', { sent: 94_000 }, /only 9400 a second could be asked for, not 10000/],
    ['nobody was held to a share', { refused: { 503: 95_500 } }, /nobody was refused with 429/],
    ['several never took all places', { refusedWith: 503 }, /nobody was refused with 503/],
  ],
})

describe('flood: what is judged where more is asked for', () => {
  it('half of what refusals leave must be taken, a tenth of the capacity at least', () => {
    const twice = { ...FLOOD, offered: 20_000, sent: 200_000 }
    assert.deepEqual(violationsOf(FLOODED, { ...twice, ...taken(1_390) }), [])
    assert.equal(violationsOf(FLOODED, { ...twice, ...taken(1_389) }).length, 1)
    const beyondAll = { ...FLOOD, offered: 50_000, sent: 500_000 }
    assert.deepEqual(violationsOf(FLOODED, { ...beyondAll, ...taken(1_000) }), [])
    assert.equal(violationsOf(FLOODED, { ...beyondAll, ...taken(999) }).length, 1)
  })
})

const NOBODY = { asked: 0, served: 0, refused: 0, wrong: [], p50: undefined, p99: undefined, locations: [] }

testRules('flood: what is judged of whoever behaves', POLITE, {
  good: {
    ...{ name: 'readers', meant: 200, asked: 200, served: 180, refused: 20, wrong: [] },
    ...{ p50: 20, p99: 900, locations: [] },
  },
  nothing: { ...NOBODY, name: 'readers', meant: 200 },
  bad: [
    ['it asked nothing', NOBODY, /asked only 0 times, not 200/],
    ['it could hardly ask', { asked: 179, served: 179 }, /asked only 179 times/],
    ['it was refused too often', { served: 179, refused: 21 }, /were served 179 of 200 times/],
    ['it waited', { p99: LONGEST_P99_MS + 1 }, /p99 of readers who behave is 4001 ms/],
    ['it was told something wrong', { wrong: ['500 '] }, /got 1 wrong answers, first: 500/],
  ],
})

/** As many samples as must be, rising evenly from one to the other. */
const rising = (from: number, to: number): number[] =>
  Array.from({ length: LEAST_SAMPLES }, (_, at) => from + ((to - from) * at) / (LEAST_SAMPLES - 1))
const STEADY = rising(310, 310)
// From the middle of the second quarter to that of the last it is half of the way and a bit.
const SLOWLY = rising(300, 300 + (MOST_GROWTH_MIB * 7) / 4)
const STEEPLY = rising(300, 300 + (MOST_GROWTH_MIB * 7) / 4 + 4)

testRules('flood: what is judged of memory', MEMORY, {
  good: { before: 300, during: SLOWLY, after: 300 + MOST_GROWTH_MIB },
  nothing: { before: Number.NaN, during: [], after: Number.NaN },
  bad: [
    ['it grew', { after: 301 + MOST_GROWTH_MIB }, /^memory grew by 97 MiB/],
    ['it still grew at the end, though it was given back', { during: STEEPLY }, /still grew by 98 MiB in the second/],
    ['it was not seen before', { before: Number.NaN }, /not looked at/],
    ['it was not seen after', { after: Number.NaN }, /not looked at/],
    ['it was not seen meanwhile', { during: [] }, /not looked at/],
    ['it was hardly seen meanwhile', { during: STEADY.slice(1) }, /not looked at/],
    ['the process ended meanwhile', { during: [...STEADY, Number.NaN] }, /not looked at/],
  ],
})

testRules('flood: what is judged of the time after it', RECOVERY, {
  good: { before: 1_000, after: 500 },
  nothing: { before: 0, after: 0 },
  bad: [
    ['less is taken than half of it', { after: 499 }, /only 499 a second were taken, before it 1000/],
    ['nothing is taken', { after: 0 }, /only 0 a second/],
    ['it is not known', { after: Number.NaN }, /after the flood only/],
  ],
})

const ALL_STORED = {
  ...{ acknowledged: 10, doubled: 0, inquiries: 10, missing: 0, untold: 0 },
  ...{ committed: 10, received: 10, lost: 0, unknown: 0, emails: 10, emailsFailed: 0, emailsPending: 5 },
}

testRules('flood: what is judged of what was kept', STORED, {
  good: ALL_STORED,
  nothing: { ...ALL_STORED, acknowledged: 0, inquiries: 0, committed: 0, received: 0, emails: 0, emailsPending: 0 },
  bad: [
    ['nothing was acknowledged', { acknowledged: 0 }, /no inquiry was acknowledged/],
    ['one was named twice', { doubled: 1 }, /1 answers \(201\) named an inquiry that another had named/],
    ['an inquiry is gone', { missing: 1 }, /1 inquiries .* not in the store/],
    ['an inquiry has no event', { untold: 1 }, /no event tells/],
    ['an event is lost', { lost: 1 }, /never received/],
    ['an event came from nowhere', { unknown: 1 }, /not in the store/],
    ['a letter was given up', { emailsFailed: 1 }, /1 letters were given up/],
  ],
})
