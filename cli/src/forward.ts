import { setTimeout as pause } from 'node:timers/promises'
import { signWebhook, type WebhookEvent } from '@rodado/client'
import { describeFailure } from './describe-failure.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { VERSION } from './version.ts'

const TIMEOUT_MS = 15_000 // a marketplace waits as long for a receiver
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

interface Forwarding {
  target: string
  /** The Secret that the receiver verifies with. */
  secret: string
  err: NodeJS.WritableStream
  signal: AbortSignal
}

/**
 * Sends events to a receiver as the webhook would: signed, in order, each until the receiver answers 2xx. Returns the status,
 * or undefined after an interruption.
 */
export function createForwarder({ target, secret, err, signal }: Forwarding) {
  return async (event: WebhookEvent): Promise<number | undefined> => {
    const body = JSON.stringify(event)
    for (let attempt = 1; !signal.aborted; attempt++) {
      const { status, fault, waitMs } = await send(event, body, attempt)
      if (fault === undefined || signal.aborted) return status
      const wait = Math.min(waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS)
      err.write(`${event.Id}: ${fault} Trying again in ${Math.ceil(wait / 1000)} s.\n`)
      await pause(wait, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  async function send({ Id: id, Topic: topic }: WebhookEvent, body: string, attempt: number): Promise<Sent> {
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      ...(await signWebhook(secret, { id, timestamp, topic, body })),
      'content-type': 'application/json',
      'webhook-attempt': String(attempt),
      'user-agent': `rodado/${VERSION}`,
    }
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    timeout.addEventListener('abort', () => undefined) // Node 20 forgets a timeout that only AbortSignal.any refers to
    const within = AbortSignal.any([signal, timeout])
    try {
      const answer = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal: within })
      await answer.body?.cancel()
      const { status } = answer
      if (status >= 200 && status < 300) return { status }
      const seconds = retryAfterSeconds(answer.headers.get('retry-after'))
      const wait = seconds === undefined ? {} : { waitMs: seconds * 1000 }
      return { fault: `${target} answered ${status}.`, ...wait }
    } catch (error) {
      return signal.aborted ? {} : { fault: describeFailure(target, error, '--forward-to') }
    }
  }
}

interface Sent {
  status?: number
  /** Why it must be sent again. */
  fault?: string
  /** Retry-After. */
  waitMs?: number
}
