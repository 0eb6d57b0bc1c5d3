import { testRules } from '../test-rules.ts'
import { PARTITION } from './verdict.ts'

testRules('partition: rules', PARTITION, {
  good: {
    before: 240,
    refused: 900,
    others: 0,
    longestMs: 6_000,
    known: 500,
    longestKnownMs: 20,
    mostWaiting: 300,
    comeUntilNoticed: 500,
    recoveredMs: 400,
  },
  nothing: {
    before: 0,
    refused: 0,
    others: 0,
    longestMs: 0,
    known: 0,
    longestKnownMs: 0,
    mostWaiting: 0,
    comeUntilNoticed: 500,
    recoveredMs: undefined,
  },
  bad: [
    ['there was nothing to lose', { before: 0 }, /nothing was acknowledged before/],
    ['the database was reachable', { refused: 0 }, /the database was reachable/],
    ['a request got another answer', { others: 2 }, /2 requests .* not answered with 503/],
    ['an answer took long', { longestMs: 12_001 }, /an answer took 12001 ms/],
    ['no request came after detection', { known: 0 }, /no request came after/],
    ['a refusal took long after detection', { longestKnownMs: 1_001 }, /a refusal took 1001 ms/],
    ['requests piled up', { mostWaiting: 501 }, /501 requests waited at once/],
    ['work did not resume', { recoveredMs: undefined }, /no request was served again/],
  ],
})
