import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstUlid, momentOf, ulid, ulidHex } from './ulid.ts'

test('a ULID has its moment in front and its randomness behind, 26 digits of Crockford’s alphabet', () => {
  assert.equal(ulid(1_469_918_176_385, Buffer.alloc(10)), '01ARYZ6S410000000000000000') // the moment of the ULID spec
  assert.equal(ulid(0, Buffer.alloc(10, 0xff)), '0000000000ZZZZZZZZZZZZZZZZ')
  assert.match(ulid(2 ** 48 - 1), /^7ZZZZZZZZZ[0-9A-HJKMNP-TV-Z]{16}$/)
})

test('ULIDs sort by their moments and never meet', () => {
  const moments = [1, 2, 31, 32, 33, 1_741_089_600_000, 1_741_089_600_001]
  const made = moments.map((ms) => ulid(ms))
  assert.deepEqual([...made].sort(), made)
  assert.equal(new Set(Array.from({ length: 1000 }, () => ulid(1))).size, 1000)
})

test('a ULID tells its moment, and the ids between two moments are a range', () => {
  const moment = new Date('2026-03-04T12:15:27.031Z')
  assert.deepEqual(momentOf(ulid(moment.getTime())), moment)
  assert.deepEqual(momentOf(firstUlid(moment)), moment)
  assert.ok(firstUlid(moment) <= ulid(moment.getTime()))
  assert.ok(ulid(moment.getTime(), Buffer.alloc(10, 0xff)) < firstUlid(new Date(moment.getTime() + 1)))
})

test('a ULID has the same bits in hexadecimal', () => {
  assert.equal(ulidHex('7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), 'f'.repeat(32))
  assert.equal(
    ulidHex(ulid(0x0123456789ab, Buffer.from('00ff10203040506070ff', 'hex'))),
    '0123456789ab00ff10203040506070ff',
  )
})
