import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { sampleOf } from '../../resources/appnotificaciones/samples.ts'
import { freeze } from '../../webhooks/events.ts'
import { keyOf, signatures } from '../../webhooks/sign.ts'
import type { Topic } from '../../webhooks/topics.ts'
import { ulid } from '../../webhooks/ulid.ts'

const PATIENCE_MS = 15_000 // decisions, 8: what comes later counts as none
const FORMER = `whsec_${randomBytes(24).toString('base64')}`

/** What the receiver answered; no status where it did not. */
export interface Reply {
  status?: number
  error?: string
  ms: number
}

/** How one delivery differs from a plain one. */
export interface Bent {
  /** The same id is the same event. */
  id?: string
  attempt?: number
  /** When it says that it was sent, in seconds from now. */
  skewSeconds?: number
  /** Signed by another secret; by that one beside the right one; not at all. */
  signed?: 'wrong' | 'both' | 'not'
  /** Changes the body after it was signed. */
  tampered?: boolean
  /** Members that are added to the payload. */
  body?: Record<string, unknown>
}

export interface Probe {
  send(topic: Topic | 'agencia.futura', bent?: Bent): Promise<Reply>
  newId(): string
}

interface ProbeNeeds {
  receiver: string
  secret: string
  timeZone: string
}

/** Sends deliveries as the server does, or bent on purpose. */
export function createProbe({ receiver, secret, timeZone }: ProbeNeeds): Probe {
  const newId = () => ulid(Date.now())

  return {
    newId,
    async send(topic, { id = newId(), attempt = 1, skewSeconds = 0, signed, tampered = false, body: more = {} } = {}) {
      const moment = new Date()
      const { agencia, body } = sampleOf(topic as Topic, newId(), timeZone)
      const about = { appId: 0, topic: topic as Topic, agencia, moment, timeZone }
      const { payload } = freeze({ ...about, body: { ...body, ...more, Prueba: true } }, id)
      const timestamp = String(Math.floor(moment.getTime() / 1000) + skewSeconds)
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
      return post(receiver, headers, tampered ? payload.replace('"Version":1', '"Version":2') : payload)
    },
  }
}

async function post(receiver: string, headers: [string, string][], body: string): Promise<Reply> {
  const from = performance.now()
  const ms = () => performance.now() - from
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(receiver, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return { status: answer.status, ms: ms() }
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } }
    return { error: name === 'TimeoutError' ? 'no answer in 15 s' : (cause?.code ?? 'no answer'), ms: ms() }
  }
}
