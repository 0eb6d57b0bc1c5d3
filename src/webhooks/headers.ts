import type { KeyObject } from 'node:crypto'
import { VERSION } from '../version.ts'
import { signatures } from './sign.ts'
import { traceOf } from './trace.ts'

export const userAgentOf = (publicUrl: string): string => `Rodado/${VERSION} (+${publicUrl})`

/** The headers that all attempts of a webhook share, as names and values in turn (docs/decisions.md). */
export const fixedHeaders = (topic: string, userAgent: string, custom: readonly string[]): string[] => [
  ...['Content-Type', 'application/json'],
  ...['User-Agent', userAgent],
  ...['Notification-Topic', topic],
  ...custom,
]

export interface NumberedAttempt {
  id: string
  /** The first attempt is 1. */
  number: number
  traceparent: string | null
}

/** The headers of one attempt, as names and values in turn, with a new timestamp and signatures. */
export function attemptHeaders(
  { id, number, traceparent }: NumberedAttempt,
  { topic, keys }: { topic: string; keys: readonly KeyObject[] },
  body: string,
  now: Date,
): string[] {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return [
    ...['webhook-id', id],
    ...['webhook-timestamp', timestamp],
    ...['webhook-attempt', String(number)],
    ...['Notification-Hook-ID', id],
    ...['Notification-Timestamp', timestamp],
    ...['traceparent', traceOf(traceparent, id)],
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
