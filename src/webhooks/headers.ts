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

/**
 * Those of one attempt, as lines: time and signatures are its own. Nothing in them comes from outside, so that they need
 * no look at each value; as names and values first, they took twice the time.
 */
export function attemptLines(
  { id, attempts, carried, traceparent }: Pick<Delivery, 'id' | 'attempts' | 'carried' | 'traceparent'>,
  { topic, keys }: Pick<Opened, 'keys'> & { topic: string },
  body: string,
  now: Date,
): string {
  const timestamp = secondsOf(now)
  const signed = signatures(keys, { id, timestamp, topic, body })
  let lines =
    `webhook-id: ${id}\r\n` +
    `webhook-timestamp: ${timestamp}\r\n` +
    `webhook-attempt: ${carried + attempts}\r\n` +
    `Notification-Hook-ID: ${id}\r\n` +
    `Notification-Timestamp: ${timestamp}\r\n` +
    `traceparent: ${traceOf(traceparent, id)}\r\n`
  for (let at = 0; at < signed.length; at += 2) lines += `${signed[at]}: ${signed[at + 1]}\r\n`
  return lines
}

let [lastSecond, lastWritten] = [0, '0']

/** Unix seconds, written once in each: a number of ten digits is dear to write. */
function secondsOf(now: Date): string {
  const second = Math.floor(now.getTime() / 1000)
  if (second !== lastSecond) [lastSecond, lastWritten] = [second, String(second)]
  return lastWritten
}

/** Of no version in particular, and with a span of its own each time: what the log does not tell of an attempt. */
const UNTOLD = ['User-Agent', 'traceparent']

/** The headers that an attempt of the past carried, as far as they follow from the log; signatures and own headers do not. */
export function headersTried(event: { id: string; topic: string }, number: number, at: Date): [string, string][] {
  const attempt = { id: event.id, attempts: number, carried: 0, traceparent: null }
  const lines = attemptLines(attempt, { topic: event.topic, keys: [] }, '', at)
  return inPairs(fixedHeaders(event.topic, '', []), lines).filter(([name]) => !UNTOLD.includes(name))
}

/** Names with their values: those that come in turn, and those that stand on lines. */
export function inPairs(flat: readonly string[], lines: string): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] as string, flat[at + 1] as string])
  for (const [, name = '', value = ''] of lines.matchAll(/(.+?): (.*)\r\n/g)) pairs.push([name, value])
  return pairs
}
