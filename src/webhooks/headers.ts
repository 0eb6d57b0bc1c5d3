import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { ulidHex } from '../ulid.ts'
import { VERSION } from '../version.ts'

interface SignedMessage {
  id: string
  /** Unix seconds. */
  timestamp: string
  topic: string
  body: string | Buffer
}

/** How Standard Webhooks begins a secret; base64 follows. */
export const STANDARD_PREFIX = 'whsec_'

/** The key of a secret (docs/decisions/webhooks.md): base64 after `whsec_`, anything else as it is. */
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
export function signatures(keys: readonly KeyObject[], { id, timestamp, topic, body }: SignedMessage): string[] {
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

export const userAgentOf = (publicUrl: string): string => `Rodado/${VERSION} (+${publicUrl})`

/** The headers that all attempts of a webhook share, as names and values in turn (docs/decisions/webhooks.md). */
export const fixedHeaders = (topic: string, userAgent: string, custom: readonly string[]): string[] =>
  // biome-ignore format: a line for each header
  [
    'Content-Type', 'application/json',
    'User-Agent', userAgent,
    'Notification-Topic', topic,
    ...custom,
  ]

/** Fixed headers for an event of another topic. */
export const withTopic = (fixed: readonly string[], topic: string): string[] =>
  fixed.with(fixed.indexOf('Notification-Topic') + 1, topic)

interface NumberedAttempt {
  id: string
  /** The first attempt is 1. */
  number: number
  traceparent: string | null
  /** Of the attempt, while tracing is on; otherwise a new one. */
  spanId?: string | undefined
}

/** The headers of one attempt, as names and values in turn, with a new timestamp and signatures. */
export function attemptHeaders(
  { id, number, traceparent, spanId }: NumberedAttempt,
  { topic, keys }: { topic: string; keys: readonly KeyObject[] },
  body: string,
  now: Date,
): string[] {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  // biome-ignore format: a line for each header
  return [
    'webhook-id', id,
    'webhook-timestamp', timestamp,
    'webhook-attempt', String(number),
    'Notification-Hook-ID', id,
    'Notification-Timestamp', timestamp,
    'traceparent', traceOf(traceparent, id, spanId),
    ...signatures(keys, { id, timestamp, topic, body }),
  ]
}

/** The delivery log stores neither the version that sent an attempt nor its span. */
const NOT_LOGGED = ['User-Agent', 'traceparent']

/** The headers of a past attempt, as far as the log stores them: no signatures and no custom headers. */
export function pastHeaders(event: { id: string; topic: string }, number: number, at: Date): [string, string][] {
  const attempt = { id: event.id, number, traceparent: null }
  const headers = attemptHeaders(attempt, { topic: event.topic, keys: [] }, '', at)
  return inPairs([...fixedHeaders(event.topic, '', []), ...headers]).filter(([name]) => !NOT_LOGGED.includes(name))
}

export function inPairs(headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] as string, headers[at + 1] as string])
  return pairs
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/

/** The caller's `traceparent` if it is valid; an invalid one is ignored. */
export const knownTrace = (text: string | undefined): string | null =>
  text !== undefined && TRACEPARENT.test(text) ? text : null

const SPAN_BYTES = 8

/** A new span in the event's W3C trace. Without a trace, the event's id serves as one: it has 128 bits too. */
export function traceOf(
  parent: string | null,
  eventId: string,
  span = randomBytes(SPAN_BYTES).toString('hex'),
): string {
  const found = parent === null ? null : TRACEPARENT.exec(parent)
  return found ? `00-${found[1]}-${span}-${found[2]}` : `00-${ulidHex(eventId)}-${span}-01`
}
