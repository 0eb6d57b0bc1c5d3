import { VERSION } from '../version.ts'
import type { Delivery } from './delivery.ts'
import type { Opened } from './destinations.ts'
import { signatures } from './sign.ts'
import { traceOf } from './trace.ts'

/** Who sends, to whoever looks in a log. */
export const userAgentOf = (publicUrl: string): string => `Rodado/${VERSION} (+${publicUrl})`

/** The headers that every attempt at a webhook carries, as names and values in turn (decisions, 8). */
export const fixedHeaders = (topic: string, userAgent: string, own: readonly string[]): string[] => [
  ...['Content-Type', 'application/json'],
  ...['User-Agent', userAgent],
  ...['Notification-Topic', topic],
  ...own,
]

/** Those of one attempt: time and signatures are its own. */
export function attemptHeaders(
  { id, attempts, carried, traceparent }: Pick<Delivery, 'id' | 'attempts' | 'carried' | 'traceparent'>,
  { topic, keys }: Pick<Opened, 'keys'> & { topic: string },
  body: string,
  now: Date,
): string[] {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  // biome-ignore format: one header a line
  const headers = [
    'webhook-id', id,
    'webhook-timestamp', timestamp,
    'webhook-attempt', String(carried + attempts),
    'Notification-Hook-ID', id,
    'Notification-Timestamp', timestamp,
    'traceparent', traceOf(traceparent, id),
  ]
  headers.push(...signatures(keys, { id, timestamp, topic, body }))
  return headers
}

/** Of no version in particular, and with a span of its own each time: what the log does not tell of an attempt. */
const UNTOLD = ['User-Agent', 'traceparent']

/** The headers that an attempt of the past carried, as far as they follow from the log; signatures and own headers do not. */
export function headersTried(event: { id: string; topic: string }, number: number, at: Date): [string, string][] {
  const attempt = { id: event.id, attempts: number, carried: 0, traceparent: null }
  const flat = [
    ...fixedHeaders(event.topic, '', []),
    ...attemptHeaders(attempt, { topic: event.topic, keys: [] }, '', at),
  ]
  return inPairs(flat).filter(([name]) => !UNTOLD.includes(name))
}

/** Names with their values. */
export function inPairs(flat: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] as string, flat[at + 1] as string])
  return pairs
}
