import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { budgetMs, costFaults, isLimited } from './cost-judge.ts'

const KIB = 1024

describe('fuzz --cost: the budget of a request', () => {
  it('is 60 ms plus half a millisecond for each KiB, at most two seconds, plus the password hash', () => {
    assert.equal(budgetMs(0), 60)
    assert.equal(budgetMs(100 * KIB), 110)
    assert.equal(budgetMs(16 * KIB * KIB), 2_000)
    assert.equal(budgetMs(0, 80), 140)
    assert.equal(budgetMs(16 * KIB * KIB, 80), 2_080)
  })

  const WELL = [
    { bytes: 64 * KIB, ms: 20 },
    { bytes: 256 * KIB, ms: 60 },
    { bytes: 1024 * KIB, ms: 330 },
  ]
  const withCost = (at: number, ms: number) => WELL.map((cost, index) => (index === at ? { ...cost, ms } : cost))

  it('no fault: cost that follows the size within the budget', () => {
    assert.deepEqual(costFaults(WELL), [])
    assert.deepEqual(costFaults([]), [])
  })

  const FAULTS: [string, RegExp, { bytes: number; ms: number }[], number?][] = [
    ['a small request over its budget', /^300 bytes cost 61 ms, at most 60$/, [{ bytes: 300, ms: 61 }]],
    ['one of a series over its budget', /^65536 bytes cost 93 ms, at most 92$/, withCost(0, 93)],
    ['over two seconds in all', /cost 2001 ms, at most 2000$/, [{ bytes: 16 * KIB * KIB, ms: 2_001 }]],
    [
      'four times the size for more than six times as much',
      /^4\.0 times the size .* 550 ms after 60$/,
      withCost(2, 550),
    ],
    [
      'the same, where hashing hides it',
      /^4\.0 times the size .* 250 ms after 105$/,
      [
        { bytes: 64 * KIB, ms: 105 },
        { bytes: 256 * KIB, ms: 250 },
      ],
      100,
    ],
  ]
  for (const [title, message, series, hashingMs] of FAULTS)
    it(`fault: ${title}`, () => {
      const [fault, ...others] = costFaults(series, hashingMs)
      assert.match(fault ?? '', message)
      assert.deepEqual(others, [])
    })

  it('no fault: growth of cheap requests, which a garbage collection or new memory explains', () => {
    assert.deepEqual(
      costFaults([
        { bytes: 4096 * KIB, ms: 27 },
        { bytes: 16_384 * KIB, ms: 238 },
      ]),
      [],
    )
    assert.deepEqual(
      costFaults([
        { bytes: 4 * KIB, ms: 0.3 },
        { bytes: 16 * KIB, ms: 39 },
      ]),
      [],
    )
  })

  it('429 and 503 mean that the work under test was not reached', () => {
    assert.deepEqual([200, 400, 404, 413, 429, 500, 503].filter(isLimited), [429, 503])
  })
})
