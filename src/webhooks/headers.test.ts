import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { keyOf, signatures } from './headers.ts'

interface Vector {
  secret: string
  id: string
  timestamp: string
  topic: string
  body: string
  headers: Record<string, string>
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../contract/vectors/webhook.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

const now = () => String(Math.floor(Date.now() / 1000))
const named = (list: string[]): Record<string, string> =>
  Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])))
const message = (body: string) => ({ id: 'evt', timestamp: now(), topic: 'x', body: Buffer.from(body) })
const standard = (of: { id: string; timestamp: string }, signed: Record<string, string>) => ({
  'webhook-id': of.id,
  'webhook-timestamp': of.timestamp,
  'webhook-signature': signed['webhook-signature'] ?? '',
})

describe('a delivery', () => {
  for (const { secret, body, headers, ...rest } of vectors)
    it(`${rest.topic} has the published signatures`, () => {
      assert.deepEqual(named(signatures([keyOf(secret)], { ...rest, body: Buffer.from(body) })), headers)
    })

  it('is verified by the library that receivers use, under a secret of either form', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, bytes) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`
        const sent = message(body)
        new Webhook(secret).verify(body, standard(sent, named(signatures([keyOf(secret)], sent))))
      }),
    )
    const sent = message('{"a":"ñ"}')
    const signed = named(signatures([keyOf('una clave con ñ y espacios')], sent))
    new Webhook(Buffer.from('una clave con ñ y espacios'), { format: 'raw' }).verify(sent.body, standard(sent, signed))
  })

  it('is verified by either secret while one replaces the other', () => {
    const [newest, former] = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`) as [string, string]
    const sent = message('{}')
    const signed = named(signatures([keyOf(newest), keyOf(former)], sent))
    for (const secret of [newest, former]) new Webhook(secret).verify('{}', standard(sent, signed))
    const [alone, before] = [newest, former].map((secret) => named(signatures([keyOf(secret)], sent)))
    assert.equal(signed['Notification-Signature'], alone?.['Notification-Signature'])
    assert.equal(signed['Notification-Signature-Anterior'], before?.['Notification-Signature'])
  })

  it('without a secret has no signature', () => {
    assert.deepEqual(signatures([], message('{}')), [])
  })
})
