import { randomBytes } from 'node:crypto'
import { ulidHex } from './ulid.ts'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/
const SPAN_BYTES = 8

/** A trace that a caller names, where it is one: what is not is forgotten, and no reason to refuse the rest. */
export const knownTrace = (text: string | undefined): string | null =>
  text !== undefined && TRACEPARENT.test(text) ? text : null

/**
 * The `traceparent` of one attempt (W3C Trace Context): a span of its own in the trace of the fact. Where there was no
 * trace, the event's id is one: 128 bits too, and the same on every attempt, on both sides' logs.
 */
export function traceOf(parent: string | null, eventId: string, span = newSpan()): string {
  const found = parent === null ? null : TRACEPARENT.exec(parent)
  return found ? `00-${found[1]}-${span}-${found[2]}` : `00-${ulidHex(eventId)}-${span}-01`
}

const SPAN_DIGITS = 2 * SPAN_BYTES
const SPANS_AT_ONCE = 1_000
let spans = ''
let spent = 0

/** Random numbers come by the thousand: asked for one by one, they cost as much as a signature. */
function newSpan(): string {
  if (spent === spans.length) {
    spans = randomBytes(SPAN_BYTES * SPANS_AT_ONCE).toString('hex')
    spent = 0
  }
  spent += SPAN_DIGITS
  return spans.slice(spent - SPAN_DIGITS, spent)
}
