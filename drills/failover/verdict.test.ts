import { testRules } from '../test-rules.ts'
import { FAILOVER } from './verdict.ts'

testRules('failover: rules', FAILOVER, {
  good: { waited: 4, before: 700, after: 700, refused: 130, servedAfterMs: 1_300 },
  nothing: { waited: 0, before: 0, after: 0, refused: 0, servedAfterMs: undefined },
  bad: [
    ['there was nothing to lose', { before: 0 }, /nothing was acknowledged before/],
    ['the primary did not wait for the standby', { waited: 0 }, /no request waited for the standby/],
    ['no request was refused', { refused: 0 }, /the primary was not gone/],
    ['nothing was acknowledged afterwards', { after: 0 }, /nothing was acknowledged after/],
    ['work did not resume', { servedAfterMs: undefined }, /no request was served again/],
  ],
})
