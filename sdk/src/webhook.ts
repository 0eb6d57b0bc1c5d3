import { fromBase64, hmacKey, utf8 } from './bytes.ts'
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

  const bytes = typeof body === 'string' ? utf8(body) : new Uint8Array(body)
  const message = new Uint8Array([...utf8(`${id}.${timestamp}.`), ...bytes])
  if (!(await isSigned(message, given, [secret].flat())))
    throw new WebhookError('wrong-signature', 'No signature fits.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  } catch {
    throw new WebhookError('not-json', 'The body is not JSON.')
  }
}

/** True if one of the signatures was made with one of the secrets. Web Crypto compares in constant time. */
async function isSigned(message: Uint8Array<ArrayBuffer>, given: string, secrets: string[]): Promise<boolean> {
  const signatures = given.split(' ').flatMap((each) => (each.startsWith('v1,') ? [fromBase64(each.slice(3))] : []))
  for (const secret of secrets) {
    const bytes = keyBytes(secret)
    if (bytes.length === 0)
      throw new WebhookError('no-secret', 'The secret is empty, or whsec_ is not followed by base64.')
    const key = await hmacKey(bytes)
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, message)) return true
  }
  return false
}

const keyBytes = (secret: string) =>
  secret.startsWith(STANDARD_PREFIX) ? fromBase64(secret.slice(STANDARD_PREFIX.length)) : utf8(secret)

/** By its methods: a runtime may have several Headers classes. */
const isHeaders = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function'

function read(headers: HeadersLike, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return Array.isArray(value) ? value[0] : value
}
