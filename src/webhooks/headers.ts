import type { Delivery } from './delivery.ts'
import type { Destination } from './destinations.ts'
import { signatures } from './sign.ts'
import { traceOf } from './trace.ts'

/** The headers of one attempt, as names and values in turn (decisions, 8). Time and signatures are those of this attempt. */
export function headersOf(
  { id, attempts, carried, traceparent }: Delivery,
  { topic, open }: Destination,
  body: Buffer,
  publicUrl: string,
  now: Date,
): string[] {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const { keys, headers } = open()
  return [
    ...['Content-Type', 'application/json'],
    ...['User-Agent', `Rodado/1.0 (+${publicUrl})`],
    ...['webhook-id', id, 'webhook-timestamp', timestamp, 'webhook-attempt', String(carried + attempts)],
    ...['Notification-Hook-ID', id, 'Notification-Timestamp', timestamp, 'Notification-Topic', topic],
    ...['traceparent', traceOf(traceparent, id)],
    ...signatures(keys, { id, timestamp, topic, body }),
    ...headers,
  ]
}
