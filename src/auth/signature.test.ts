import assert from 'node:assert/strict'
import { createSecretKey, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { digestHolds, parseDate, sign, signatureNames, textToSign } from './signature.ts'

interface Vectors {
  AppSecret: string
  prefix: string
  vectors: { method: string; target: string; headers: Record<string, string>; body: string | null; signature: string }[]
}

const { AppSecret, prefix, vectors } = JSON.parse(
  readFileSync(new URL('../../contract/vectors/signature.json', import.meta.url), 'utf8'),
) as Vectors

describe('signature', () => {
  for (const { method, target, headers, body, signature } of vectors) {
    it(`${method} ${target} has the published signature`, () => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      const text = textToSign({ method, target, headers: lower }, signatureNames(prefix))
      assert.equal(sign(createSecretKey(AppSecret, 'utf8'), text).toString('base64'), signature)
      if (body !== null) assert.ok(digestHolds(lower.digest ?? '', Buffer.from(body)))
    })
  }

  it('own headers are signed by name in order, trimmed; others are not', () => {
    const headers = { 'x-svc-b': ' 2 ', 'x-svc-a': '1', 'x-other': 'no', date: 'D', digest: 'G' }
    assert.equal(
      textToSign({ method: 'PUT', target: '/v3?x=1', headers }, signatureNames('SVC')),
      'PUT\nG\nD\nx-svc-a:1\nx-svc-b:2\n/v3?x=1',
    )
  })

  it('another prefix names another scheme and other headers', () => {
    assert.deepEqual(signatureNames('ACME'), {
      scheme: 'ACME-HMAC',
      headerPrefix: 'x-acme-',
      dateHeader: 'x-acme-date',
    })
  })
})

describe('Digest', () => {
  const bytes = Buffer.from('hola')
  const sha256 = hash('sha256', bytes, 'base64')
  const sha512 = hash('sha512', bytes, 'base64')

  it('holds by sha-256, sha-512 or both, in any case, beside algorithms we do not know', () => {
    for (const header of [
      `sha-256=${sha256}`,
      `SHA-512=${sha512}`,
      `sha-256=${sha256},sha-512=${sha512}`,
      `md5=x, sha-256=${sha256}`,
    ])
      assert.ok(digestHolds(header, bytes), header)
  })

  it('does not hold when one is wrong, or none is known', () => {
    for (const header of ['', 'md5=x', 'sha-256', 'sha-256=', `sha-256=${sha512}`, `sha-256=${sha256}, sha-512=x`])
      assert.ok(!digestHolds(header, bytes), header)
  })

  it('does not hold by names that every object has', () => {
    for (const header of ['__proto__=x', 'constructor=x', 'toString=x', 'hasOwnProperty=x'])
      assert.ok(!digestHolds(header, bytes), header)
  })

  it('hashes the bytes once for each algorithm, and reads at most ten parts', () => {
    const named = (count: number) => Array(count).fill(`sha-256=${sha256}`).join(',')
    assert.ok(digestHolds(named(10), bytes))
    assert.ok(!digestHolds(named(11), bytes))
  })
})

describe('the moment a request is dated', () => {
  it('is IMF-fixdate, or ISO 8601 with its offset', () => {
    const expected = Date.UTC(2025, 2, 4, 12)
    for (const text of [
      'Tue, 04 Mar 2025 12:00:00 GMT',
      '2025-03-04T12:00:00Z',
      '2025-03-04T09:00:00.000-03:00',
      '2025-03-04T12:00Z',
      '2025-03-04T09:00:00-0300',
      '2025-03-04T09:00:00-03',
      '20250304T120000Z',
    ])
      assert.equal(parseDate(text), expected, text)
  })

  it('is nothing else', () => {
    for (const text of [
      '',
      'now',
      '1741089600',
      '2025-03-04',
      '2025-03-04T12:00:00',
      'Tue, 99 Mar 2025 12:00:00 GMT',
      '2025-13-04T12:00:00Z',
    ])
      assert.equal(parseDate(text), undefined, text)
  })
})
