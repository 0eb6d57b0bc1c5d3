import type { Claimed } from '../outbox/outbox.ts'
import type { Call } from './send/send.ts'

/** A delivery in a worker's hands. */
export interface Delivery extends Claimed {
  id: string
  /** What is sent, byte for byte; null where the event is gone. */
  payload: string | null
  traceparent: string | null
  /** Attempts before it was last sent again, and those that came early because the receiver asked for it. */
  carried: number
  /** Whether somebody asked for it after it was made, and before it was ever tried. */
  isAskedFor: boolean
  /** How old the delivery was when it was taken. */
  ageMs: number
  /** What carrying it came to, once it was tried. */
  made?: Made
}

/** A call, when it began and how long it took, under which configuration of the webhook, and whether to try the door. */
export interface Made {
  call: Call
  beganMs: number
  ms: number
  version: string
  isProbe: boolean
}
