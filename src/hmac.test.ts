import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { hmacSha256, hmacSha256Base64 } from './hmac.ts'

describe('HMAC-SHA-256', () => {
  it('gives what RFC 4231 says', () => {
    const cases = [
      ['0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
      ['4a656665', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
      [
        'aa'.repeat(131),
        'Test Using Larger Than Block-Size Key - Hash Key First',
        '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
      ],
    ] as const
    for (const [key, text, expected] of cases) {
      const made = hmacSha256(createSecretKey(Buffer.from(key, 'hex')), text)
      assert.equal(made.toString('hex'), expected)
    }
  })

  it('gives what createHmac gives, for keys and texts of any length, in one part or two', () => {
    for (const length of [...Array(200).keys(), 5_000].slice(1)) {
      const key = createSecretKey(randomBytes(length))
      const text = `${'ñ€😀'.repeat(length)}${length}`
      const expected = createHmac('sha256', key).update(text).digest()
      assert.deepEqual(hmacSha256(key, text), expected)
      assert.deepEqual(hmacSha256(key, '', Buffer.from(text)), expected)
      assert.deepEqual(hmacSha256(key, text.slice(0, 4), text.slice(4)), expected)
      assert.equal(hmacSha256Base64(key, text), expected.toString('base64'))
    }
  })
})
