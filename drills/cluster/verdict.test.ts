import { testRules } from '../test-rules.ts'
import { CLUSTER, type Lost } from './verdict.ts'

const killed: Lost = { kind: 'killed', withoutWritesMs: 21_000, strays: 0 }
const frozen: Lost = { kind: 'frozen', withoutWritesMs: 22_000, strays: 0 }

testRules('cluster: rules', CLUSTER, {
  good: { lost: [killed, frozen], expected: 2, timelines: [1, 3], acknowledged: 900 },
  nothing: { lost: [], expected: 2, timelines: [1, 1], acknowledged: 0 },
  bad: [
    ['nothing was acknowledged', { acknowledged: 0 }, /nothing was acknowledged/],
    ['a leader was not lost', { lost: [killed] }, /1 of 2 leaders were lost/],
    ['a leader was not replaced', { timelines: [1, 2] }, /from 1 to 2/],
    [
      'writes did not resume',
      { lost: [killed, { ...frozen, withoutWritesMs: Number.NaN }] },
      /no write .* after a leader was frozen/,
    ],
    ['a connection stayed', { lost: [killed, { ...frozen, strays: 1 }] }, /1 connections stayed .* was frozen/],
  ],
})
