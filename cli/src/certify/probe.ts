import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { signWebhook, type Topic } from '@rodado/client'
import { retryAfterSeconds } from '../retry-after.ts'
import { SAMPLES } from '../samples.ts'

const TIMEOUT_MS = 15_000 // docs/decisions/deliveries.md: a later response counts as none
const FORMER = `whsec_${randomBytes(24).toString('base64')}`

/** The receiver's response; without a status if there was none. */
export interface Reply {
  status?: number
  error?: string
  /** Retry-After. */
  retryAfterSeconds?: number
  ms: number
}

/** An event; its id and bytes are the same in every delivery. */
export interface ProbeEvent {
  topic: string
  id: string
  payload: string
}

/** The content of an event, where a case needs a particular one. */
interface EventContent {
  /** The inquiry; several events may share one. */
  sid?: string
  /** Members added to the payload. */
  body?: Record<string, unknown>
}

/** How a delivery differs from a normal one. */
export interface Variation {
  attempt?: number
  /** Offset of its timestamp, in seconds. */
  skewSeconds?: number
  /** Signed with another secret, with both, or not at all. */
  signed?: 'wrong' | 'both' | 'not'
  /** Changes the body after it was signed. */
  tampered?: boolean
  /** Closes the connection after this time. */
  hangUpAfterMs?: number
}

export type Probe = ReturnType<typeof createProbe>

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ' // Crockford's base 32

/** An id in the form of the marketplace's; these do not sort by time. */
export const newId = (): string => `0${Array.from(randomBytes(25), (byte) => ALPHABET[byte % 32]).join('')}`

/** Sends deliveries as the server does, or altered on purpose. */
export function createProbe({ receiver, secret }: { receiver: string; secret: string }) {
  return {
    event(topic: Topic | 'agencia.futura', { sid = newId(), body = {} }: EventContent = {}): ProbeEvent {
      const sample = SAMPLES[topic] ?? SAMPLES['webhook.prueba'] ?? {}
      const ofInquiry = JSON.parse(JSON.stringify(sample).replaceAll(String(sample.Id), sid))
      const id = newId()
      const own = { Id: id, Topic: topic, Momento: localTime(new Date()) }
      return { topic, id, payload: JSON.stringify({ ...ofInquiry, ...own, ...body, Prueba: true }) }
    },

    /** Sends it once, signed for this attempt. */
    async send({ topic, id, payload }: ProbeEvent, variation: Variation = {}): Promise<Reply> {
      const { attempt = 1, skewSeconds = 0, signed, tampered, hangUpAfterMs } = variation
      const timestamp = Math.floor(Date.now() / 1000) + skewSeconds
      const secrets = signed ? { wrong: [FORMER], both: [FORMER, secret], not: [] }[signed] : [secret]
      const headers = {
        ...(await signWebhook(secrets, { id, timestamp, topic, body: payload })),
        'content-type': 'application/json',
        'user-agent': 'Rodado certify',
        'webhook-attempt': String(attempt),
      }
      const body = tampered ? payload.replace('"Version":1', '"Version":2') : payload
      return post(receiver, headers, body, hangUpAfterMs ?? TIMEOUT_MS)
    },
  }
}

const OFFSET_HOURS = -3

/** A time as marketplaces in Argentina and Uruguay write it. */
const localTime = (moment: Date): string =>
  new Date(moment.getTime() + OFFSET_HOURS * 3_600_000).toISOString().replace('Z', '-03:00')

async function post(
  receiver: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs: number,
): Promise<Reply> {
  const from = performance.now()
  const ms = () => performance.now() - from
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(receiver, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    const wait = retryAfterSeconds(answer.headers.get('retry-after'))
    return { status: answer.status, ms: ms(), ...(wait !== undefined && { retryAfterSeconds: wait }) }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    const timeoutError = `no answer in ${timeoutMs / 1000} s`
    return { error: name === 'TimeoutError' ? timeoutError : (cause?.code ?? 'no answer'), ms: ms() }
  }
}
