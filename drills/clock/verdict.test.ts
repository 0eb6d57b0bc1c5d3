import { testRules } from '../test-rules.ts'
import { CLOCK } from './verdict.ts'

const FAR = { hours: 3, made: 200, told: '401 fecha-fuera-de-rango' }
const NEAR = { hours: 0.05, made: 200, told: '200 ' }

testRules('clock: what is judged of its jumps', CLOCK, {
  good: { jumps: [FAR, NEAR], requests: 1_000, between: 3, repeated: 0, feed: 997, doubled: 0, missing: 0 },
  nothing: { jumps: [], requests: 0, between: 0, repeated: 0, feed: 0, doubled: 0, missing: 0 },
  bad: [
    ['it never jumped far', { jumps: [NEAR] }, /the clock never jumped/],
    ['nobody was served after a jump', { jumps: [FAR, { ...NEAR, made: 0 }] }, /nobody was served at 0.05 h/],
    ['a wrong clock was taken', { jumps: [{ ...FAR, told: '200 ' }] }, /at 3 h whoever stayed got 200/],
    ['a right clock was refused', { jumps: [FAR, { ...NEAR, told: FAR.told }] }, /at 0.05 h whoever stayed got 401/],
    ['many were refused between the jumps', { between: 101 }, /101 of 1000 were told/],
    ['an event came twice', { repeated: 1 }, /1 events came more than once/],
    ['the feed is empty', { feed: 0 }, /nothing is in the feed/],
    ['an event is not in the feed', { missing: 1 }, /1 events are not in the feed/],
    ['an event is in the feed twice', { doubled: 1 }, /1 events are in the feed twice/],
  ],
})
