import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CODE_ATTEMPTS, createAttemptLimiter, PASSWORD_ATTEMPTS } from './attempt-limiter.ts'

const REFUSED = { status: 429 }
const subject = 'ana@x.test'

/** How many attempts of each address are let through. */
function allowedBy(attempt: () => unknown, most = 100): number {
  for (let made = 0; made < most; made++)
    try {
      attempt()
    } catch {
      return made
    }
  return most
}

describe('attempt limiter', () => {
  it('429: an address has ten attempts at an account, then one a minute; another address has its own', () => {
    let now = 0
    const attempts = createAttemptLimiter(() => now, PASSWORD_ATTEMPTS)
    assert.equal(
      allowedBy(() => attempts.take({ ip: '203.0.113.1', subject })),
      10,
    )
    assert.equal(
      allowedBy(() => attempts.take({ ip: '203.0.113.2', subject: ' ANA@x.test ' })),
      10,
    )
    now += 60_000
    attempts.take({ ip: '203.0.113.1', subject })
    assert.throws(() => attempts.take({ ip: '203.0.113.1', subject }), REFUSED)
  })

  it('429: an address that tries many accounts is refused, and costs those accounts nothing', () => {
    const attempts = createAttemptLimiter(() => 0, PASSWORD_ATTEMPTS)
    let account = 0
    const spray = () => attempts.take({ ip: '203.0.113.1', subject: `otra${account++}@x.test` })
    assert.equal(allowedBy(spray), 50)
    for (let i = 0; i < 100; i++) assert.throws(() => attempts.take({ ip: '203.0.113.1', subject }), REFUSED)
    assert.equal(
      allowedBy(() => attempts.take({ ip: '203.0.113.2', subject })),
      10,
    )
  })

  it('an account under attack from many addresses is slower for each of them, and refused to none', () => {
    const attempts = createAttemptLimiter(() => 0, PASSWORD_ATTEMPTS)
    const allowed = Array.from({ length: 200 }, (_, i) =>
      allowedBy(() => attempts.take({ ip: `198.51.100.${i}`, subject })),
    )
    assert.deepEqual(allowed.slice(0, 3), [10, 10, 10])
    assert.deepEqual([...new Set(allowed.slice(3))], [3])
  })

  it('right attempts do not count, during an attack either', () => {
    const attempts = createAttemptLimiter(() => 0, PASSWORD_ATTEMPTS)
    for (let i = 0; i < 20; i++) allowedBy(() => attempts.take({ ip: `198.51.100.${i}`, subject }))
    for (let i = 0; i < 100; i++) attempts.take({ ip: '203.0.113.1', subject }).refund()
  })

  it('429: during an attack the addresses of one IPv6 site count as one', () => {
    const attempts = createAttemptLimiter(() => 0, PASSWORD_ATTEMPTS)
    for (let i = 0; i < 10; i++) allowedBy(() => attempts.take({ ip: `198.51.100.${i}`, subject }))
    let block = 0
    const roam = () => attempts.take({ ip: `2001:db8:1:${(block++).toString(16)}::1`, subject })
    assert.equal(allowedBy(roam), 3)
    attempts.take({ ip: '2001:db8:2::1', subject })
  })

  it('a known device has attempts of its own, even from an address that is refused', () => {
    const attempts = createAttemptLimiter(() => 0, PASSWORD_ATTEMPTS)
    const ip = '203.0.113.1'
    for (let i = 0; i < 100; i++) allowedBy(() => attempts.take({ ip, subject: `${i}@x.test` }))
    const attempt = attempts.take({ ip, subject, device: 'one' })
    assert.deepEqual([attempt.byDevice, attempt.left], [true, 9])
    attempt.refund()
    assert.equal(
      allowedBy(() => attempts.take({ ip, subject, device: 'one' })),
      10,
    )
    assert.ok(attempts.take({ ip, subject, device: 'two' }).byDevice)
  })

  it('429: codes of one account are counted over all addresses; a known device has its own', () => {
    let now = 0
    const attempts = createAttemptLimiter(() => now, CODE_ATTEMPTS)
    let made = 0
    const anywhere = () => attempts.take({ ip: `198.51.${made >> 8}.${made++ & 255}`, subject: 'codigo 1' })
    assert.equal(allowedBy(anywhere), 6)
    const known = () => attempts.take({ ip: '203.0.113.1', subject: 'codigo 1', device: 'one' })
    assert.equal(allowedBy(known), 6)
    now += 86_400_000
    let inADay = 0
    for (let minute = 0; minute < 1440; minute++, now += 60_000) inADay += allowedBy(anywhere)
    assert.ok(inADay <= 6 + 288, `${inADay} attempts in a day`)
  })

  it('a very long subject is one key as any other', () => {
    const attempts = createAttemptLimiter(() => 0, PASSWORD_ATTEMPTS)
    const long = () => attempts.take({ ip: '203.0.113.1', subject: 'x'.repeat(100_000) })
    assert.equal(allowedBy(long), 10)
  })
})
