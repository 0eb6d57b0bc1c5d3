import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { sampleOf } from '../../resources/appnotificaciones/samples.ts'
import { freeze } from '../../webhooks/events.ts'
import { retryAfterSeconds } from '../../webhooks/send/retry-after.ts'
import { keyOf, signatures } from '../../webhooks/sign.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { ulid } from '../../webhooks/ulid.ts'

const PATIENCE_MS = 15_000 // decisions, 8: what comes later counts as none
const FORMER = `whsec_${randomBytes(24).toString('base64')}`

/** What the receiver answered; no status where it did not. */
export interface Reply {
  status?: number
  error?: string
  /** How long it asks us to wait before we send it again. */
  retryAfterSeconds?: number
  ms: number
}

/** One event, frozen as the server does: however often it is sent, its id and its bytes stay. */
export interface ProbeEvent {
  topic: string
  id: string
  payload: string
}

/** What an event tells, where it matters. */
export interface Told {
  /** The inquiry it is about; several events may tell of one. */
  sid?: string
  /** Members that are added to the payload. */
  body?: Record<string, unknown>
}

/** How one delivery differs from a plain one. */
export interface Bent {
  attempt?: number
  /** When it says that it was sent, in seconds from now. */
  skewSeconds?: number
  /** Signed by another secret; by that one beside the right one; not at all. */
  signed?: 'wrong' | 'both' | 'not'
  /** Changes the body after it was signed. */
  tampered?: boolean
  /** Cuts the line then, answered or not. */
  hangUpAfterMs?: number
}

export interface Probe {
  event(topic: Topic | 'agencia.futura', told?: Told): ProbeEvent
  /** Sends it once, with the time and the signatures of this attempt. */
  send(event: ProbeEvent, bent?: Bent): Promise<Reply>
}

interface ProbeDeps {
  receiver: string
  secret: string
  timeZone: string
}

/** Sends deliveries as the server does, or bent on purpose. */
export function createProbe({ receiver, secret, timeZone }: ProbeDeps): Probe {
  return {
    event(topic, { sid = ulid(Date.now()), body: more = {} } = {}) {
      const moment = new Date()
      const { agencia, body } = sampleOf(topic as Topic, sid, timeZone)
      const about = { appId: 0, topic: topic as Topic, agencia, moment, timeZone }
      const { id, payload } = freeze({ ...about, body: { ...body, ...more, Prueba: true } })
      return { topic, id, payload }
    },

    async send({ topic, id, payload }, { attempt = 1, skewSeconds = 0, signed, tampered, hangUpAfterMs } = {}) {
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
      return post(receiver, headers, body, hangUpAfterMs ?? PATIENCE_MS)
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
    const late = `no answer in ${patienceMs / 1000} s`
    return { error: name === 'TimeoutError' ? late : (cause?.code ?? 'no answer'), ms: ms() }
  }
}
