import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { violationsOf } from '../rules.ts'
import { testRules } from '../test-rules.ts'
import { createOutcome, type Outcome } from './outcome.ts'
import { STORED } from './stored.ts'
import {
  FLOODED,
  type Flooded,
  LONGEST_P99_MS,
  MAX_GROWTH_MIB,
  MEMORY,
  MIN_SAMPLES,
  POLITE,
  RECOVERY,
  RESPONSES,
} from './verdict.ts'

/** A histogram with one bucket. */
function after(ms: number, count: number): number[] {
  const times: number[] = []
  times[ms] = count
  return times
}

const SIDS = Array.from({ length: 4_500 }, (_, at) => `sid${at}`)
/** Ten seconds of a good flood: ten times the capacity, of which less than half was stored. */
const FLOOD: Flooded = {
  ...createOutcome(),
  seconds: 10,
  sent: 100_000,
  sids: SIDS,
  servedMs: after(900, SIDS.length),
  refused: { 429: 95_500 },
  offered: 10_000,
  capacity: 1_000,
  refusedWith: 429,
}
const taken = (count: number): Partial<Flooded> => ({ sids: SIDS.slice(0, count) })
const OF_ANYTHING: [string, Partial<Outcome>, RegExp][] = [
  ['every request was refused', { sids: [], servedMs: [] }, /nothing was stored/],
  ['stored inquiries were slow', { servedMs: after(LONGEST_P99_MS + 1, 4_500) }, /p99 of stored inquiries is 4001 ms/],
  ['an answer was wrong', { wrong: 1, firstWrong: 'HTTP/1.1 500' }, /1 answers were neither .*HTTP\/1\.1 500/],
  ['a connection broke', { broken: 3 }, /3 requests were never answered/],
  ['requests were never answered', { unanswered: 2 }, /2 requests were never answered/],
]

testRules('flood: rules for all responses', RESPONSES, {
  good: FLOOD,
  nothing: createOutcome(),
  bad: OF_ANYTHING,
})

testRules('flood: rules for the flood', FLOODED, {
  good: FLOOD,
  nothing: { ...FLOOD, ...createOutcome() },
  bad: [
    ...OF_ANYTHING,
    ['too few were stored', taken(2_499), /only 2499 .* 2500 are required/],
    ['the clients sent too few', { sent: 94_000 }, /only 9400 a second could be sent, not 10000/],
    ['a single site was not held to its share', { refused: { 503: 95_500 } }, /no request was refused with 429/],
    ['several sites never used up the capacity', { refusedWith: 503 }, /no request was refused with 503/],
  ],
})

describe('flood: the required share', () => {
  it('is half of what refusals leave of the capacity, at least a tenth', () => {
    const twice = { ...FLOOD, offered: 20_000, sent: 200_000 }
    assert.deepEqual(violationsOf(FLOODED, { ...twice, ...taken(1_390) }), [])
    assert.equal(violationsOf(FLOODED, { ...twice, ...taken(1_389) }).length, 1)
    const beyondAll = { ...FLOOD, offered: 50_000, sent: 500_000 }
    assert.deepEqual(violationsOf(FLOODED, { ...beyondAll, ...taken(1_000) }), [])
    assert.equal(violationsOf(FLOODED, { ...beyondAll, ...taken(999) }).length, 1)
  })
})

const NOBODY = { sent: 0, served: 0, refused: 0, wrong: [], p50: undefined, p99: undefined, locations: [] }

testRules('flood: rules for well-behaved callers', POLITE, {
  good: {
    name: 'readers',
    expected: 200,
    sent: 200,
    served: 180,
    refused: 20,
    wrong: [],
    p50: 20,
    p99: 900,
    locations: [],
  },
  nothing: { ...NOBODY, name: 'readers', expected: 200 },
  bad: [
    ['it sent nothing', NOBODY, /sent only 0 requests, not 200/],
    ['it sent too few', { sent: 179, served: 179 }, /sent only 179 requests/],
    ['it was refused too often', { served: 179, refused: 21 }, /were served 179 of 200 times/],
    ['it waited', { p99: LONGEST_P99_MS + 1 }, /p99 of well-behaved readers is 4001 ms/],
    ['it got a wrong answer', { wrong: ['500 '] }, /got 1 wrong answers, first: 500/],
  ],
})

/** The fewest samples allowed, rising evenly. */
const rising = (from: number, to: number): number[] =>
  Array.from({ length: MIN_SAMPLES }, (_, at) => from + ((to - from) * at) / (MIN_SAMPLES - 1))
const STEADY = rising(310, 310)
// From the middle of the second quarter to the middle of the last it rises a little more than half of the way.
const SLOWLY = rising(300, 300 + (MAX_GROWTH_MIB * 7) / 4)
const STEEPLY = rising(300, 300 + (MAX_GROWTH_MIB * 7) / 4 + 4)

testRules('flood: rules for memory', MEMORY, {
  good: { before: 300, during: SLOWLY, after: 300 + MAX_GROWTH_MIB },
  nothing: { before: Number.NaN, during: [], after: Number.NaN },
  bad: [
    ['it grew', { after: 301 + MAX_GROWTH_MIB }, /^memory grew by 97 MiB/],
    ['it still grew at the end, though it was released', { during: STEEPLY }, /still grew by 98 MiB in the second/],
    ['it was not measured before', { before: Number.NaN }, /not measured/],
    ['it was not measured after', { after: Number.NaN }, /not measured/],
    ['it was not measured meanwhile', { during: [] }, /not measured/],
    ['there are too few samples', { during: STEADY.slice(1) }, /not measured/],
    ['the process ended meanwhile', { during: [...STEADY, Number.NaN] }, /not measured/],
  ],
})

testRules('flood: rules for the time afterwards', RECOVERY, {
  good: { before: 1_000, after: 500 },
  nothing: { before: 0, after: 0 },
  bad: [
    ['less than half of the capacity is back', { after: 499 }, /only 499 a second were stored, before it 1000/],
    ['nothing is stored', { after: 0 }, /only 0 a second/],
    ['it was not measured', { after: Number.NaN }, /after the flood only/],
  ],
})

const ALL_STORED = {
  acknowledged: 10,
  doubled: 0,
  consultas: 10,
  missing: 0,
  withoutEvent: 0,
  committed: 10,
  received: 10,
  lost: 0,
  unknown: 0,
  emails: 10,
  emailsFailed: 0,
  emailsPending: 5,
}

testRules('flood: rules for what was stored', STORED, {
  good: ALL_STORED,
  nothing: { ...ALL_STORED, acknowledged: 0, consultas: 0, committed: 0, received: 0, emails: 0, emailsPending: 0 },
  bad: [
    ['nothing was acknowledged', { acknowledged: 0 }, /no inquiry was acknowledged/],
    ['two answers had the same sid', { doubled: 1 }, /1 answers \(201\) repeated the sid of another/],
    ['an inquiry is not stored', { missing: 1 }, /1 inquiries .* not in the store/],
    ['an inquiry has no event', { withoutEvent: 1 }, /have no event/],
    ['an event is lost', { lost: 1 }, /never received/],
    ['an unknown event was received', { unknown: 1 }, /not in the store/],
    ['an email was given up', { emailsFailed: 1 }, /1 emails were given up/],
  ],
})
