import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseEncoding, encodedEtag, etagOf, namesEtag, namesEtagStrongly } from './encoded-body.ts'

describe('ETag', () => {
  const etag = etagOf('{"a":1}')

  it('is strong, quoted, and the same for the same bytes only', () => {
    assert.match(etag, /^"[\w-]{27}"$/)
    assert.equal(etagOf(Buffer.from('{"a":1}')), etag)
    assert.notEqual(etagOf('{"a":2}'), etag)
  })

  it('is named by itself, by its compressed forms, weakly, in a list, and by *', () => {
    for (const header of [etag, encodedEtag(etag, 'br'), encodedEtag(etag, 'gzip'), `W/${etag}`, `"x", ${etag}`, '*'])
      assert.ok(namesEtag(header, etag), header)
    for (const header of ['"x"', etag.slice(1, -1), '', `"${etag}`]) assert.ok(!namesEtag(header, etag), header)
  })
})

describe('If-Match', () => {
  it('takes strong tags only', () => {
    const etag = etagOf('x')
    for (const header of [etag, encodedEtag(etag, 'br'), `W/"y", ${etag}`, '*'])
      assert.ok(namesEtagStrongly(header, etag), header)
    for (const header of [`W/${etag}`, '"y"']) assert.ok(!namesEtagStrongly(header, etag), header)
  })
})

describe('Accept-Encoding', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['*;q=0', undefined],
  ]
  for (const [accept, expected] of cases)
    it(`${accept ?? '(absent)'} → ${expected ?? 'as it is'}`, () => assert.equal(chooseEncoding(accept), expected))
})
