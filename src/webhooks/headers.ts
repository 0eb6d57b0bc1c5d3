import { VERSION } from '../version.ts'
import type { Delivery } from './delivery.ts'
import type { Opened } from './destinations.ts'
import { signatures } from './sign.ts'
import { traceOf } from './trace.ts'

/** Who sends, to whoever looks in a log. */
export const userAgentOf = (publicUrl: string): string => `Rodado/${VERSION} (+${publicUrl})`

/** The headers of one attempt, as names and values in turn (decisions, 8). Time and signatures are those of this attempt. */
export function headersOf(
  { id, attempts, carried, traceparent }: Pick<Delivery, 'id' | 'attempts' | 'carried' | 'traceparent'>,
  { topic, keys, headers }: Opened & { topic: string },
  body: Buffer,
  userAgent: string,
  now: Date,
): string[] {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  // biome-ignore format: one header a line
  const all = [
    'Content-Type', 'application/json',
    'User-Agent', userAgent,
    'webhook-id', id,
    'webhook-timestamp', timestamp,
    'webhook-attempt', String(carried + attempts),
    'Notification-Hook-ID', id,
    'Notification-Timestamp', timestamp,
    'Notification-Topic', topic,
    'traceparent', traceOf(traceparent, id),
  ]
  return all.concat(signatures(keys, { id, timestamp, topic, body }), headers)
}
