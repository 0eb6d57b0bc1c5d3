import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply } from 'fastify'
import type { Problem } from './problems.ts'
import { createQuota, type Quota } from './quota.ts'

const RATE = { perSecond: 1, burst: 2 }
const times = (count: number, act: () => unknown) => Array.from({ length: count }, act)

/** The status of a request: 200, or 429 over the quota. */
function spend(quota: Quota, options?: { isConditional: boolean }): number {
  try {
    quota.consume(1, { header: () => undefined } as unknown as FastifyReply, undefined, options)
    return 200
  } catch (error) {
    return (error as Problem).status
  }
}

test('quota: an undone request costs nothing, however often', () => {
  const quota = createQuota('app', RATE, () => 0)
  times(100, () => {
    assert.equal(spend(quota), 200)
    quota.undo(1)
  })
  assert.deepEqual(
    times(3, () => spend(quota)),
    [200, 200, 429],
  )
})

test('quota: a 304 costs nothing, up to ten times the limit', () => {
  const quota = createQuota('app', RATE, () => 0)
  times(20, () => {
    assert.equal(spend(quota), 200)
    quota.refund(1)
  })
  assert.equal(spend(quota), 429)
})

test('quota: a 304 costs nothing over the limit either, and a conditional request that is answered otherwise is paid later', () => {
  let now = 0
  const quota = createQuota('app', RATE, () => now)
  const conditional = { isConditional: true }
  times(2, () => spend(quota))
  times(10, () => {
    assert.equal(spend(quota, conditional), 200)
    quota.refund(1)
  })
  assert.equal(spend(quota), 429)
  assert.deepEqual(
    times(3, () => spend(quota, conditional)),
    [200, 200, 429],
    'it owes no more than a burst',
  )
  now += 2_000
  assert.equal(spend(quota), 429)
  now += 1_000
  assert.equal(spend(quota), 200)
})
