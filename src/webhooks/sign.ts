import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

export interface Message {
  id: string
  /** Unix seconds. */
  timestamp: string
  topic: string
  body: string | Buffer
}

/** How Standard Webhooks begins a secret; base64 follows. */
export const STANDARD_PREFIX = 'whsec_'

/** The key of a secret (docs/decisions.md): base64 after `whsec_`, anything else as it is. */
export const keyOf = (secret: string): KeyObject =>
  secret.startsWith(STANDARD_PREFIX)
    ? createSecretKey(Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64'))
    : createSecretKey(secret, 'utf8')

/** The secret as the libraries of Standard Webhooks take it: the same key, always in base64. */
export const standardForm = (secret: string): string =>
  secret.startsWith(STANDARD_PREFIX) ? secret : STANDARD_PREFIX + Buffer.from(secret).toString('base64')

/**
 * The signature headers of a message, as names and values in turn; `keys` newest first, none for an unsigned webhook.
 * Standard Webhooks allows several signatures in one header. `Notification-Signature` has one, of the newest key, and
 * does not cover the body; that of a replaced key has its own header.
 */
export function signatures(keys: readonly KeyObject[], { id, timestamp, topic, body }: Message): string[] {
  const [newest, former] = keys
  if (!newest) return []
  const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text)
  const ofMessage = (key: KeyObject) => `v1,${hmac(key, `${id}.${timestamp}.`).update(body).digest('base64')}`
  const ofNotification = (key: KeyObject) => hmac(key, `${id}\n${timestamp}\n${topic}`).digest('base64')
  if (!former) return ['webhook-signature', ofMessage(newest), 'Notification-Signature', ofNotification(newest)]
  return [
    'webhook-signature',
    `${ofMessage(newest)} ${ofMessage(former)}`,
    'Notification-Signature',
    ofNotification(newest),
    'Notification-Signature-Anterior',
    ofNotification(former),
  ]
}
