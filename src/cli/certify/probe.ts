import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { sampleOf } from '../../resources/appnotificaciones/samples.ts'
import { ulid } from '../../ulid.ts'
import { buildEvent } from '../../webhooks/events.ts'
import { retryAfterSeconds } from '../../webhooks/send/explain.ts'
import { keyOf, signatures } from '../../webhooks/sign.ts'
import type { Topic } from '../../webhooks/topics.ts'

const TIMEOUT_MS = 15_000 // docs/decisions.md: a later response counts as none
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
export interface EventContent {
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

/** Sends deliveries as the server does, or altered on purpose. */
export function createProbe({ receiver, secret, timeZone }: { receiver: string; secret: string; timeZone: string }) {
  return {
    event(topic: Topic | 'agencia.futura', content: EventContent = {}): ProbeEvent {
      const { sid = ulid(Date.now()), body: more = {} } = content
      const moment = new Date()
      const { agencia, body } = sampleOf(topic as Topic, sid, timeZone)
      const about = { appId: 0, topic: topic as Topic, agencia, moment, timeZone }
      const { id, payload } = buildEvent({ ...about, body: { ...body, ...more, Prueba: true } })
      return { topic, id, payload }
    },

    /** Sends it once, signed for this attempt. */
    async send({ topic, id, payload }: ProbeEvent, variation: Variation = {}): Promise<Reply> {
      const { attempt = 1, skewSeconds = 0, signed, tampered, hangUpAfterMs } = variation
      const timestamp = String(Math.floor(Date.now() / 1000) + skewSeconds)
      const secrets = signed ? { wrong: [FORMER], both: [FORMER, secret], not: [] }[signed] : [secret]
      const given = signatures(secrets.map(keyOf), { id, timestamp, topic, body: Buffer.from(payload) })
      const headers: [string, string][] = [
        ['content-type', 'application/json'],
        ['user-agent', 'Rodado certify'],
        ['webhook-id', id],
        ['webhook-timestamp', timestamp],
        ['webhook-attempt', String(attempt)],
        ['notification-hook-id', id],
        ['notification-timestamp', timestamp],
        ['notification-topic', topic],
      ]
      for (let at = 0; at < given.length; at += 2) headers.push([given[at] as string, given[at + 1] as string])
      const body = tampered ? payload.replace('"Version":1', '"Version":2') : payload
      return post(receiver, headers, body, hangUpAfterMs ?? TIMEOUT_MS)
    },
  }
}

async function post(receiver: string, headers: [string, string][], body: string, patienceMs: number): Promise<Reply> {
  const from = performance.now()
  const ms = () => performance.now() - from
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const answer = await fetch(receiver, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    const wait = retryAfterSeconds(answer.headers.get('retry-after') ?? undefined, Date.now())
    return { status: answer.status, ms: ms(), ...(wait !== undefined && { retryAfterSeconds: wait }) }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    const timeoutError = `no answer in ${patienceMs / 1000} s`
    return { error: name === 'TimeoutError' ? timeoutError : (cause?.code ?? 'no answer'), ms: ms() }
  }
}
