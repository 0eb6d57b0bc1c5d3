import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Ended, judge, type Part } from './verdict.ts'

const PART: Part = {
  name: 'kill',
  args: [],
  timeoutS: 1,
  injects: true,
  shows: ['requests', 'faults', 'committed'],
  clean: ['lost', 'serverErrors'],
}
const SUM = { requests: 5, faults: 1, committed: 4, received: 4, lost: 0, announced: 2, serverErrors: 0 }
const ended = (other: Partial<Ended> = {}): Ended => ({
  code: 0,
  last: JSON.stringify(SUM),
  printedSkipped: false,
  timedOut: false,
  ...other,
})
const said = (sum: object) => ended({ last: JSON.stringify(sum) })

describe('trust: verdict on a part', () => {
  it('a part that did something and found nothing holds; announced 503 are no fault', () => {
    assert.deepEqual(judge(PART, ended()), { sum: SUM, verdict: 'passed' })
  })

  const BAD: [string, Ended][] = [
    ['it failed', ended({ code: 1 })],
    ['it was killed', ended({ code: null })],
    ['it took too long', ended({ timedOut: true })],
    ['it printed no totals', ended({ last: '' })],
    ['its totals are no JSON', ended({ last: '{ half' })],
    ['its totals are empty', said({})],
    ['it sent no request', said({ ...SUM, requests: 0 })],
    ['it injected no fault', said({ ...SUM, faults: 0 })],
    ['nothing was committed', said({ ...SUM, committed: 0 })],
    ['a figure is null', said({ ...SUM, requests: null })],
    ['something was lost', said({ ...SUM, lost: 1 })],
    ['there was another 5xx', said({ ...SUM, serverErrors: 1 })],
    ['it does not say whether anything was lost', said({ ...SUM, lost: undefined })],
    ['it was skipped although it may not be', ended({ last: '', printedSkipped: true })],
  ]
  for (const [name, how] of BAD) it(`fails if ${name}`, () => assert.equal(judge(PART, how).verdict, 'FAILED'))

  it('is skipped only if it may be, says so and exits with 0 in time', () => {
    const maybe = { ...PART, canSkip: true }
    assert.equal(judge(maybe, ended({ last: '', printedSkipped: true })).verdict, 'skipped')
    for (const how of [
      ended({ last: '' }),
      ended({ last: '', printedSkipped: true, code: 1 }),
      ended({ last: '', printedSkipped: true, timedOut: true }),
    ])
      assert.equal(judge(maybe, how).verdict, 'FAILED')
  })
})
