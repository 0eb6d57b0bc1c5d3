import { Deadlines } from '../../deadlines.ts'
import { memoize } from '../../memoize.ts'
import type { Patience } from '../../outbox/patience.ts'
import { type CallbackConfig, callbackRules } from '../target.ts'
import type { Answer } from './answer.ts'
import { type ConnectorOptions, NotSent, openConnector } from './connect.ts'
import { explainError, explainStatus } from './explain.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { type Addressed, Wire } from './wire.ts'

/** Where it goes: connections are kept for each `key`, so that one receiver's hanging calls hold up nobody else's. */
export interface Target extends Addressed {
  key: string
  origin: string
  /** The private ranges that its app alone may reach. */
  granted: readonly string[]
}

/** How one call went. */
export interface Call {
  /** What was really connected to, or what refused to be. */
  address: string | null
  status: number | null
  /** The beginning of the answer. */
  answer: string | null
  /** In words for people; null when it was taken (2xx). */
  error: string | null
  /** The same for the log. */
  code: string | null
  retryAfterSeconds: number | undefined
}

export interface Sender {
  /**
   * One POST, with these lines of headers after the target's: words of ours alone, since nobody looks at them again.
   * Whatever happens is told in the result; nothing is thrown.
   */
  send(target: Target, lines: string, body: string, patience: Patience): Promise<Call>
  close(): void
}

export interface SenderOptions extends Omit<ConnectorOptions, 'connectMs' | 'rules'> {
  config: CallbackConfig
  clock: () => Date
  /** What tells a connection that was already closed from one that was lost later. */
  nowMs?: () => number
  times?: Partial<typeof TIMES>
}

/** Decisions, 8. */
const TIMES = { connectMs: 5_000, totalMs: 15_000 }
const MOST_IDLE = 256
const MOST_CONNECTORS = 1_000 // one for each set of granted ranges
const LOOK_MS = 500 // within the second that a connection is closed before its receiver would
const AT_ONCE_MS = 250 // a round trip: whoever had closed it before says so by then
const LOST = new Set(['ECONNRESET', 'EPIPE', 'closed'])

/** The one place from which webhooks leave. A connection carries one call at a time, and is kept for the next. */
export function openSender({ config, clock, nowMs = () => performance.now(), times, ca }: SenderOptions): Sender {
  const { connectMs, totalMs } = { ...TIMES, ...times }
  const connectorFor = memoize(
    (granted: readonly string[]) => openConnector({ rules: callbackRules(config, granted), connectMs, ca }),
    (granted) => granted.join(),
    MOST_CONNECTORS,
  )
  const idle = new Map<string, Resting[]>()
  let idling = 0
  let watching: NodeJS.Timeout | undefined
  const calls = new Deadlines<{ wire: Wire }>(totalMs, ({ wire }) => wire.cut(new NotSent('timeout')))

  function open({ key, origin, granted }: Target): Wire {
    const wire = new Wire(origin, connectorFor(granted), () => forget(key, wire))
    return wire
  }

  function keep(key: string, wire: Wire): void {
    if (idling >= MOST_IDLE) return wire.cut(null)
    const resting = { wire, untilMs: performance.now() + wire.restMs }
    const list = idle.get(key)
    if (list) list.push(resting)
    else idle.set(key, [resting])
    idling++
    watching ??= setInterval(dropRested, LOOK_MS).unref()
  }

  /** One look at all of them: a timer of its own for each connection was a fortieth of a delivery. */
  function dropRested(): void {
    const now = performance.now()
    for (const { wire, untilMs } of [...idle.values()].flat()) if (untilMs <= now) wire.cut(null)
    for (const [key, list] of idle) if (list.length === 0) idle.delete(key)
    if (idling > 0) return
    clearInterval(watching)
    watching = undefined
  }

  /** The one used last, which is the least likely to have been closed meanwhile. */
  function reuse(key: string): Wire | undefined {
    const resting = idle.get(key)?.pop()
    if (!resting) return undefined
    idling--
    if (resting.untilMs > performance.now()) return resting.wire
    resting.wire.cut(null)
    return reuse(key)
  }

  function forget(key: string, wire: Wire): void {
    const list = idle.get(key)
    const at = list?.findIndex((resting) => resting.wire === wire) ?? -1
    if (!list || at < 0) return
    list.splice(at, 1)
    idling--
  }

  function send(target: Target, lines: string, body: string, patience: Patience): Promise<Call> {
    return new Promise((resolve) => {
      const call = { wire: reuse(target.key) ?? open(target) }
      const begun = calls.begin(call)
      const beganMs = nowMs()

      function post(): void {
        const { wire } = call
        wire.post(target, lines, body, (answer, error) => {
          // Closed by the other side just as we used it again: that says nothing about the receiver. Lost later, it may
          // have been read, and what became of it is an outcome.
          if (wire.calls > 1 && !answer.isBegun && wasLost(error) && nowMs() - beganMs < AT_ONCE_MS) {
            call.wire = open(target)
            return post()
          }
          calls.end(begun)
          if (!wire.isGone) keep(target.key, wire)
          resolve(callOf(wire.address, answer, error, clock))
        })
      }
      patience.onEnd(() => {
        if (!begun.isOver) call.wire.cut(new NotSent('cut')) // the connection may carry another call by then
      })
      post()
    })
  }

  return {
    send,
    close() {
      for (const { wire } of [...idle.values()].flat()) wire.cut(null)
      clearInterval(watching)
      watching = undefined // a call that is under way may still keep its connection, and that one too rests only so long
    },
  }
}

/** A connection that waits for its next call, and until when. */
interface Resting {
  wire: Wire
  untilMs: number
}

const wasLost = (error: Error | null): boolean => LOST.has((error as NodeJS.ErrnoException | null)?.code ?? '')

/** What a connection was refused by; where several addresses were tried, the first of them. */
function triedAddress(error: Error | null): string | null {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first as { address?: string } | null)?.address ?? null
}

/** A status decides, however the rest of the answer went: the receiver has spoken. */
function callOf(address: string | null, answer: Answer, error: Error | null, clock: () => Date): Call {
  const { status } = answer
  const text = answer.text()
  if (status === null) {
    const explained = explainError(error ?? new NotSent('timeout'))
    return { address: address ?? triedAddress(error), status, answer: text, ...explained, retryAfterSeconds: undefined }
  }
  if (status >= 200 && status < 300)
    return { address, status, answer: text, error: null, code: null, retryAfterSeconds: undefined }
  const waits = retryAfterSeconds(answer.retryAfter, clock().getTime())
  return { address, status, answer: text, ...explainStatus(status), retryAfterSeconds: waits }
}
