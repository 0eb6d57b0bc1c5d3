import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addressKey, Limiter } from './limits.ts'

describe('limits', () => {
  it('a burst at once, then so many a second', () => {
    let now = 0
    const limiter = new Limiter({ perSecond: 2, burst: 3 }, () => now)
    assert.deepEqual(
      [1, 2, 3].map(() => limiter.take('a').allowed),
      [true, true, true],
    )
    assert.deepEqual(limiter.take('a'), { allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 2 })
    assert.ok(limiter.take('b').allowed, 'another key has its own')
    now += 500
    assert.ok(limiter.take('a').allowed)
    assert.ok(!limiter.take('a').allowed)
  })

  it('what is given back can be taken again, never more than the burst', () => {
    const limiter = new Limiter({ perSecond: 1, burst: 1 }, () => 0)
    limiter.take('a')
    limiter.refund('a')
    limiter.refund('a')
    assert.ok(limiter.take('a').allowed)
    assert.ok(!limiter.take('a').allowed)
  })

  it('a key may have a rate of its own, from one moment to the next', () => {
    let now = 0
    const limiter = new Limiter({ perSecond: 1, burst: 5 }, () => now)
    limiter.take('a')
    assert.equal(
      limiter.take('a', { perSecond: 1, burst: 2 }).remaining,
      1,
      'what is left is never more than its burst',
    )
    assert.equal(limiter.take('b').remaining, 4)
    now += 10_000
    limiter.refund('a')
    assert.equal(limiter.take('a', { perSecond: 1, burst: 20 }).remaining, 11, 'it fills by what it may now')
  })

  it('never lets more pass than burst plus rate times time, however the requests fall', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 200 })
    fc.assert(
      fc.property(gaps, (waits) => {
        let now = 0
        const limiter = new Limiter({ perSecond: 5, burst: 10 }, () => now)
        let passed = 0
        for (const wait of waits) {
          now += wait
          if (limiter.take('a').allowed) passed++
        }
        assert.ok(passed <= 10 + (now / 1000) * 5 + 1e-6)
      }),
    )
  })

  it('a flood of keys evicts the bucket used longest ago, and never one that is in use', () => {
    const limiter = new Limiter({ perSecond: 1, burst: 1 }, () => 0)
    limiter.take('oldest')
    limiter.take('in use')
    for (let key = 0; key < 120_000; key++) {
      limiter.take(String(key))
      if (key % 40_000 === 0) assert.ok(!limiter.take('in use').allowed, `after ${key} other keys`)
    }
    assert.ok(!limiter.take('in use').allowed)
    assert.ok(!limiter.take('119999').allowed)
    assert.ok(limiter.take('oldest').allowed, 'evicted, so it begins anew')
  })

  it('the 50,001st key evicts the oldest bucket alone', () => {
    const limiter = new Limiter({ perSecond: 1, burst: 1 }, () => 0)
    limiter.take('oldest')
    limiter.take('second')
    for (let key = 0; key < 49_999; key++) limiter.take(key)
    assert.ok(!limiter.take('second').allowed, 'only the oldest was evicted')
    assert.ok(limiter.take('oldest').allowed)
  })

  it('an IPv6 client is its /64, an IPv4 client in disguise is itself', () => {
    assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
    assert.equal(addressKey('2001:db8::1'), '2001:db8:0:0')
    assert.equal(addressKey('::ffff:192.0.2.7'), '192.0.2.7')
    assert.equal(addressKey('192.0.2.7'), '192.0.2.7')
    assert.equal(addressKey('::1'), '0:0:0:0')
    assert.equal(addressKey('192.0.2.7:4711'), '192.0.2.7:4711', 'as a proxy may write it')
  })
})
