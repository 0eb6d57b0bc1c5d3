import { fromBase64, hmacKey, toBase64, utf8 } from './bytes.ts'
import type { WebhookEvent } from './operations.ts'
import { RodadoError } from './problems.ts'

/** Why a delivery was refused. */
export type WebhookFault = 'no-signature' | 'wrong-signature' | 'too-old' | 'not-json' | 'no-secret'

export class WebhookError extends RodadoError {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}

export interface VerifyOptions {
  /** The tolerance for the delivery's time in seconds; 300 by default. */
  toleranceSeconds?: number
  /** Milliseconds, for tests. */
  now?: () => number
}

type HeadersLike = Headers | Record<string, string | string[] | undefined>

const STANDARD_PREFIX = 'whsec_'

/**
 * Verifies a delivery's signature and time, and returns its event. Answer 2xx within 15 seconds; the same `Id` may come again.
 * `body` must be the bytes as received: parsed and serialized again it has another signature. Give both secrets while one
 * replaces the other, or only the new one: a delivery is signed by both for a day.
 */
export async function verifyWebhook(
  headers: HeadersLike,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  )
  if (!id || !timestamp || !given)
    throw new WebhookError('no-signature', 'webhook-id, webhook-timestamp and webhook-signature are needed.')
  const age = Math.abs(now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookError('too-old', `The delivery is ${Math.round(age)} s away from now.`)

  const bytes = bytesOf(body)
  if (!(await isSigned(messageOf(id, timestamp, bytes), given, [secret].flat())))
    throw new WebhookError('wrong-signature', 'No signature fits.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  } catch {
    throw new WebhookError('not-json', 'The body is not JSON.')
  }
}

export interface WebhookMessage {
  id: string
  /** Unix seconds. */
  timestamp: string | number
  topic: string
  body: string | Uint8Array | ArrayBuffer
}

/**
 * The headers of a delivery as the server signs it, to test a receiver or to pass on what `followEvents` reads. With two secrets,
 * newest first, it is signed by both, as while one replaces the other; without a secret it is not signed.
 */
export async function signWebhook(
  secret: string | readonly string[],
  { id, timestamp, topic, body }: WebhookMessage,
): Promise<Record<string, string>> {
  const message = messageOf(id, timestamp, bytesOf(body))
  const keys = await Promise.all([secret].flat().map(keyOf))
  const signed = (text: Uint8Array<ArrayBuffer>) =>
    Promise.all(keys.map(async (key) => toBase64(await crypto.subtle.sign('HMAC', key, text))))
  const standard = await signed(message)
  const [newest, former] = await signed(utf8(`${id}\n${timestamp}\n${topic}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'notification-hook-id': id,
    'notification-timestamp': String(timestamp),
    'notification-topic': topic,
    ...(newest && {
      'webhook-signature': standard.map((signature) => `v1,${signature}`).join(' '),
      'notification-signature': newest,
    }),
    ...(former && { 'notification-signature-anterior': former }),
  }
}

const bytesOf = (body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? utf8(body) : new Uint8Array(body)

/** What Standard Webhooks signs. */
function messageOf(id: string, timestamp: string | number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = utf8(`${id}.${timestamp}.`)
  const message = new Uint8Array(head.length + bytes.length)
  message.set(head)
  message.set(bytes, head.length)
  return message
}

/** The server sends one for each secret. Each costs a hash of the body, and anybody may send a header full of them. */
const MAX_SIGNATURES = 10

/** True if one of the signatures was made with one of the secrets. Web Crypto compares in constant time. */
async function isSigned(message: Uint8Array<ArrayBuffer>, given: string, secrets: string[]): Promise<boolean> {
  const signatures = given
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .slice(0, MAX_SIGNATURES)
    .map((each) => fromBase64(each.slice('v1,'.length)))
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, message)) return true
  }
  return false
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(STANDARD_PREFIX) ? fromBase64(secret.slice(STANDARD_PREFIX.length)) : utf8(secret)
  if (bytes.length > 0) return hmacKey(bytes)
  throw new WebhookError('no-secret', 'The secret is empty, or whsec_ is not followed by base64.')
}

/** By its methods: a runtime may have several Headers classes. */
const isHeaders = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function'

function read(headers: HeadersLike, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return Array.isArray(value) ? value[0] : value
}
