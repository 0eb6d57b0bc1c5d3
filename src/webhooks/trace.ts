import { randomBytes } from 'node:crypto'
import { ulidHex } from '../ulid.ts'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
const SPAN_BYTES = 8

/** The caller's `traceparent` if it is valid; an invalid one is ignored. */
export const knownTrace = (text: string | undefined): string | null =>
  text !== undefined && TRACEPARENT.test(text) ? text : null

/** A new span in the event's W3C trace. Without a trace, the event's id serves as one: it has 128 bits too. */
export function traceOf(parent: string | null, eventId: string, span = newSpan()): string {
  const found = parent === null ? null : TRACEPARENT.exec(parent)
  return found ? `00-${found[1]}-${span}-${found[2]}` : `00-${ulidHex(eventId)}-${span}-01`
}

const SPAN_DIGITS = 2 * SPAN_BYTES
const SPANS_AT_ONCE = 1_000
let spans = ''
let spent = 0

/** Random bytes are fetched for a thousand spans at a time, because each call is expensive. */
function newSpan(): string {
  if (spent === spans.length) {
    spans = randomBytes(SPAN_BYTES * SPANS_AT_ONCE).toString('hex')
    spent = 0
  }
  spent += SPAN_DIGITS
  return spans.slice(spent - SPAN_DIGITS, spent)
}
