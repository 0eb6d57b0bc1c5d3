import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQuota } from './quota.ts'

const RATE = { perSecond: 1, burst: 2 }
const times = (count: number, act: () => unknown) => Array.from({ length: count }, act)

test('quota: what turns out to be somebody else’s costs nothing, however often', () => {
  const quota = createQuota('app', RATE, () => 0)
  times(100, () => {
    assert.ok(quota.take(1))
    quota.retract(1)
  })
  assert.deepEqual(
    times(3, () => quota.take(1) !== undefined),
    [true, true, false],
  )
})

test('quota: what told nothing new costs nothing, up to ten times the limit', () => {
  const quota = createQuota('app', RATE, () => 0)
  times(20, () => {
    assert.ok(quota.take(1))
    quota.giveBack(1)
  })
  assert.equal(quota.take(1), undefined)
})
