import { randomBytes } from 'node:crypto'
import { ulidHex } from './ulid.ts'

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
const SPAN_BYTES = 8

/**
 * The `traceparent` of one attempt (W3C Trace Context): a span of its own in the trace of the fact. Where there was no
 * trace, the event's id is one: 128 bits too, and the same on every attempt, on both sides' logs.
 */
export function traceOf(parent: string | null, eventId: string, span: Buffer = randomBytes(SPAN_BYTES)): string {
  const [, trace = ulidHex(eventId), flags = '01'] = TRACEPARENT.exec(parent ?? '') ?? []
  return `00-${trace}-${span.toString('hex')}-${flags}`
}
