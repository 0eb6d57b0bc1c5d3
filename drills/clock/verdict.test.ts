import { testRules } from '../test-rules.ts'
import { CLOCK } from './verdict.ts'

const FAR = { hours: 3, made: 200, answer: '401 fecha-fuera-de-rango' }
const NEAR = { hours: 0.05, made: 200, answer: '200 ' }

testRules('clock: rules', CLOCK, {
  good: { jumps: [FAR, NEAR], requests: 1_000, between: 3, repeated: 0, feed: 997, doubled: 0, missing: 0 },
  nothing: { jumps: [], requests: 0, between: 0, repeated: 0, feed: 0, doubled: 0, missing: 0 },
  bad: [
    ['it never jumped far', { jumps: [NEAR] }, /the clock never jumped/],
    ['nobody was served after a jump', { jumps: [FAR, { ...NEAR, made: 0 }] }, /no request was served at 0.05 h/],
    [
      'a wrong clock was accepted',
      { jumps: [{ ...FAR, answer: '200 ' }] },
      /at 3 h a caller at the previous time got 200/,
    ],
    [
      'a right clock was refused',
      { jumps: [FAR, { ...NEAR, answer: FAR.answer }] },
      /at 0.05 h a caller at the previous time got 401/,
    ],
    ['many requests were refused between the jumps', { between: 101 }, /101 of 1000 requests were refused/],
    ['an event came twice', { repeated: 1 }, /1 events came more than once/],
    ['the feed is empty', { feed: 0 }, /nothing is in the feed/],
    ['an event is not in the feed', { missing: 1 }, /1 events are not in the feed/],
    ['an event is in the feed twice', { doubled: 1 }, /1 events are in the feed twice/],
  ],
})
