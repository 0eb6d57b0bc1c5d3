import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { signWebhook, verifyWebhook, WebhookError, type WebhookEvent } from './rodado.ts'

const { vectors } = JSON.parse(readFileSync(new URL('../../../contract/vectors/webhook.json', import.meta.url), 'utf8'))
const [vector] = vectors
const headers = {
  'Webhook-Id': vector.id,
  'webhook-timestamp': vector.timestamp,
  'webhook-signature': vector.headers['webhook-signature'],
}
const now = () => Number(vector.timestamp) * 1000

const faultOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'believed',
    (error) => (error instanceof WebhookError ? error.code : error),
  )

describe('signWebhook', () => {
  it('signs the vector as the server does', async () => {
    const signed = await signWebhook(vector.secret, vector)
    for (const [name, value] of Object.entries(vector.headers)) assert.equal(signed[name.toLowerCase()], value)
  })

  it('is verified with either secret while one replaces the other', async () => {
    const body = new TextEncoder().encode('{"Texto":"ñandú 🚗"}')
    const signed = await signWebhook(['nuevo', 'anterior'], { ...vector, body })
    for (const secret of ['nuevo', 'anterior']) await verifyWebhook(signed, body, secret, { now })
    const former = await signWebhook('anterior', { ...vector, body })
    assert.equal(signed['notification-signature-anterior'], former['notification-signature'])
  })

  it('without a secret: the headers without a signature; an empty one is refused', async () => {
    const unsigned = await signWebhook([], vector)
    assert.deepEqual([unsigned['webhook-id'], 'webhook-signature' in unsigned], [vector.id, false])
    assert.equal(await faultOf(signWebhook('', vector)), 'no-secret')
  })
})

describe('verifyWebhook', () => {
  it('accepts the vector of the server, as text, bytes, and with Headers', async () => {
    const bytes = new TextEncoder().encode(vector.body)
    for (const body of [vector.body, bytes, bytes.buffer])
      assert.equal((await verifyWebhook(headers, body, vector.secret, { now })).Id, vector.id)
    assert.equal(
      (await verifyWebhook(new Headers(headers), vector.body, ['otro', vector.secret], { now })).Id,
      vector.id,
    )
  })

  it('accepts what the published library signs with a whsec_ secret', async () => {
    const secret = `whsec_${btoa('una clave de treinta y dos letras')}`
    const at = new Date(now())
    const body = JSON.stringify({ Id: 'x', Topic: 'webhook.prueba' })
    const signature = new Webhook(secret).sign('x', at, body)
    const signed = { ...headers, 'Webhook-Id': 'x', 'webhook-signature': `v1a,zzz v1,AAAA ${signature}` }
    assert.equal((await verifyWebhook(signed, body, secret, { now })).Topic, 'webhook.prueba')
  })

  it('accepts the server’s vector with SecretEstandar in place of the Secret', async () => {
    const standard = `whsec_${btoa(vector.secret)}`
    assert.equal((await verifyWebhook(headers, vector.body, standard, { now })).Id, vector.id)
  })

  it('refuses another body, secret or id, a missing or old signature, and an invalid time', async () => {
    const verify = (more: object, body = vector.body, secret = vector.secret, at = now) =>
      faultOf(verifyWebhook({ ...headers, ...more }, body, secret, { now: at }))
    assert.equal(await verify({}, `${vector.body} `), 'wrong-signature')
    assert.equal(await verify({}, vector.body, 'another secret'), 'wrong-signature')
    assert.equal(await verify({ 'Webhook-Id': 'x' }), 'wrong-signature')
    assert.equal(await verify({ 'webhook-signature': 'v1,%%%' }), 'wrong-signature')
    const many = `${'v1,AAAA '.repeat(10)}${headers['webhook-signature']}`
    assert.equal(await verify({ 'webhook-signature': many }), 'wrong-signature') // each costs a hash of the body
    assert.equal(await verify({ 'webhook-signature': undefined }), 'no-signature')
    assert.equal(await verify({}, vector.body, vector.secret, () => now() + 301_000), 'too-old')
    assert.equal(await verify({}, vector.body, vector.secret, () => now() - 301_000), 'too-old')
    assert.equal(await verify({ 'webhook-timestamp': 'NaN' }), 'too-old')
  })

  it('reports an invalid secret, and accepts base64url', async () => {
    for (const secret of ['', 'whsec_', 'whsec_%%%'])
      assert.equal(await faultOf(verifyWebhook(headers, vector.body, secret, { now })), 'no-secret')
    const bytes = Uint8Array.from({ length: 24 }, (_, at) => 255 - at)
    const plain = btoa(String.fromCharCode(...bytes))
    const signature = new Webhook(`whsec_${plain}`).sign('x', new Date(now()), '{}')
    const signed = { ...headers, 'Webhook-Id': 'x', 'webhook-signature': signature }
    const url = `whsec_${plain.replaceAll('+', '-').replaceAll('/', '_')}`
    assert.deepEqual(await verifyWebhook(signed, '{}', url, { now }), {})
  })

  it('distinguishes events by topic, and the types require every topic', () => {
    const about = (event: WebhookEvent): string => {
      switch (event.Topic) {
        case 'agencia.registrada':
        case 'agencia.modificada':
          return event.AdminMail
        case 'agencia.desasociada':
          return event.Por
        case 'consulta.recibida':
        case 'consulta.modificada':
          return event.Consulta.Interesado.Nombre
        case 'consulta.suprimida':
          return event.Consulta.href
        case 'publicacion.activada':
        case 'publicacion.suspendida':
        case 'publicacion.archivada':
          return event.ExternalId
        case 'webhook.prueba':
          return event.Id
        default:
          return event satisfies never
      }
    }
    assert.equal(about({ Topic: 'consulta.suprimida', Consulta: { href: '/x' } } as WebhookEvent), '/x')
  })
})
