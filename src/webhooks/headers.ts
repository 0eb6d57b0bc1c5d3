import { VERSION } from '../version.ts'
import type { Opened } from './destinations.ts'
import type { DeliveryRow } from './settle.ts'
import { signatures } from './sign.ts'
import { traceOf } from './trace.ts'

export const userAgentOf = (publicUrl: string): string => `Rodado/${VERSION} (+${publicUrl})`

/** The headers of every attempt at a webhook, as names and values in turn (decisions, 8). */
export const fixedHeaders = (topic: string, userAgent: string, custom: readonly string[]): string[] => [
  ...['Content-Type', 'application/json'],
  ...['User-Agent', userAgent],
  ...['Notification-Topic', topic],
  ...custom,
]

/** The headers of one attempt, as names and values in turn: time and signatures are fresh. */
export function attemptHeaders(
  { id, attempts, carried, traceparent }: Pick<DeliveryRow, 'id' | 'attempts' | 'carried' | 'traceparent'>,
  { topic, keys }: Pick<Opened, 'keys'> & { topic: string },
  body: string,
  now: Date,
): string[] {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return [
    ...['webhook-id', id],
    ...['webhook-timestamp', timestamp],
    ...['webhook-attempt', String(carried + attempts)],
    ...['Notification-Hook-ID', id],
    ...['Notification-Timestamp', timestamp],
    ...['traceparent', traceOf(traceparent, id)],
    ...signatures(keys, { id, timestamp, topic, body }),
  ]
}

/** The delivery log stores neither the version that sent an attempt nor its span. */
const NOT_LOGGED = ['User-Agent', 'traceparent']

/** The headers that a past attempt carried, as far as the log tells; it stores no signatures and no custom headers. */
export function headersTried(event: { id: string; topic: string }, number: number, at: Date): [string, string][] {
  const attempt = { id: event.id, attempts: number, carried: 0, traceparent: null }
  const headers = attemptHeaders(attempt, { topic: event.topic, keys: [] }, '', at)
  return inPairs([...fixedHeaders(event.topic, '', []), ...headers]).filter(([name]) => !NOT_LOGGED.includes(name))
}

export function inPairs(headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] as string, headers[at + 1] as string])
  return pairs
}
