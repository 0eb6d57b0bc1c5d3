import { setTimeout as pause } from 'node:timers/promises'
import { TOPICS } from '../topics.ts'
import { newId, type Probe, type ProbeEvent, type Reply, type Variation } from './probe.ts'

/** A test case: the deliveries and the expected response. */
export interface Case {
  name: string
  expects: 'accepts' | 'refuses'
  /** What to do if it fails. */
  advice: string
  run(probe: Probe): Promise<Reply[]>
}

const BURST = 20
const OLD_SECONDS = 3600
const HANG_UP_MS = 1000
const MAX_WAIT_SECONDS = 60

/** Letters that programs often escape or count wrongly. */
const LONG_TEXT = `“¿Qué tal?” \u2028 \u0000 \\/ ${'ñ🚗'.repeat(20_000)}`

/** Sends one inquiry, as it should be or altered. */
const sending = (variation: Variation) => async (probe: Probe) => [
  await probe.send(probe.event('consulta.recibida'), variation),
]

/** Sends them one after the other. */
async function inSequence(...sends: (() => Promise<Reply>)[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const send of sends) replies.push(await send())
  return replies
}

/** Retries once after the delay that the receiver asks for, like the server, but not after a long one. */
async function withRetry(probe: Probe, events: ProbeEvent[]): Promise<Reply[]> {
  const replies = await Promise.all(events.map((event) => probe.send(event)))
  const later = (reply: Reply) =>
    reply.status === 429 && (reply.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= MAX_WAIT_SECONDS
  const longest = Math.max(0, ...replies.filter(later).map(({ retryAfterSeconds = 0 }) => retryAfterSeconds))
  await pause(longest * 1000)
  for (const [at, event] of events.entries())
    if (later(replies[at] as Reply)) replies[at] = await probe.send(event, { attempt: 2 })
  return replies
}

const ACCEPTED: readonly Omit<Case, 'expects'>[] = [
  {
    name: 'a genuine consulta.recibida is accepted',
    advice: 'Answer 2xx within 15 seconds. Is the Secret the one it verifies with?',
    run: sending({}),
  },
  {
    name: 'every topic is accepted',
    advice: 'Answer 2xx also to topics that you do nothing with: anything else is sent again for days.',
    run: (probe) => inSequence(...TOPICS.map((topic) => () => probe.send(probe.event(topic)))),
  },
  {
    name: 'a retry is accepted: same id, later time, attempt 2',
    advice: 'A retry has fresh webhook-timestamp and signatures: verify those that came with it.',
    run: (probe) => {
      const event = probe.event('consulta.recibida')
      return inSequence(
        () => probe.send(event, { skewSeconds: -5 }),
        () => probe.send(event, { attempt: 2 }),
      )
    },
  },
  {
    name: 'a retry while the first attempt is still at work is accepted',
    advice:
      'A slow response is cut off and the delivery repeated: respond first, work afterwards, and process each id once.',
    run: async (probe) => {
      const event = probe.event('consulta.recibida')
      await probe.send(event, { hangUpAfterMs: HANG_UP_MS })
      return [await probe.send(event, { attempt: 2 })]
    },
  },
  {
    name: 'the same event five times at once is accepted each time',
    advice: 'Remember webhook-id, and answer 2xx to what you have already: a 409 or 500 has it sent again.',
    run: (probe) => {
      const event = probe.event('consulta.recibida')
      return Promise.all(Array.from({ length: 5 }, () => probe.send(event)))
    },
  },
  {
    name: 'an inquiry erased, then changed, then received is accepted',
    advice: 'Order is not promised: accept what you cannot place yet, and read the inquiry by its link.',
    run: (probe) => {
      const sid = newId()
      const content = (['consulta.recibida', 'consulta.modificada', 'consulta.suprimida'] as const).map((topic) =>
        probe.event(topic, { sid }),
      )
      return inSequence(...content.reverse().map((event) => () => probe.send(event)))
    },
  },
  {
    name: `${BURST} at the same time are accepted`,
    advice:
      'Put the event in a queue of yours and answer; do the work after. 429 is fine with a Retry-After that you keep to.',
    run: (probe) =>
      withRetry(
        probe,
        Array.from({ length: BURST }, () => probe.event('consulta.recibida')),
      ),
  },
  {
    name: 'two signatures, while a secret is replaced, are accepted',
    advice: 'webhook-signature may hold several, separated by a space: one that fits is enough.',
    run: sending({ signed: 'both' }),
  },
  {
    name: 'a member and a topic of a later version are accepted',
    advice: 'Additions are not breaking: ignore what you do not know, and answer 2xx.',
    run: (probe) =>
      inSequence(
        () => probe.send(probe.event('consulta.recibida', { body: { Novedad: { Que: ['ñandú', '🚗'] } } })),
        () => probe.send(probe.event('agencia.futura')),
      ),
  },
  {
    name: 'letters of every kind, and a long comment, are accepted',
    advice: 'Verify the bytes as they came, before any parsing: what is printed anew has another signature.',
    run: (probe) => inSequence(() => probe.send(probe.event('webhook.prueba', { body: { Texto: LONG_TEXT } }))),
  },
]

const REFUSED: readonly Omit<Case, 'expects'>[] = [
  {
    name: 'one that another secret signed is refused',
    advice: 'Anybody can post to your address. Compare webhook-signature, and answer 401.',
    run: sending({ signed: 'wrong' }),
  },
  {
    name: 'one without a signature is refused',
    advice: 'No signature is a wrong signature: answer 401.',
    run: sending({ signed: 'not' }),
  },
  {
    name: 'one that was changed on the way is refused',
    advice: 'The signature must be computed over the body too: id, timestamp and body, joined by dots.',
    run: sending({ tampered: true }),
  },
  {
    name: 'a recording from an hour ago is refused',
    advice: 'Refuse what is more than five minutes away from your clock, also when its signature is right.',
    run: sending({ skewSeconds: -OLD_SECONDS }),
  },
  {
    name: 'one from an hour ahead is refused',
    advice: 'Refuse what is more than five minutes away from your clock, also in the future.',
    run: sending({ skewSeconds: OLD_SECONDS }),
  },
]

export const CASES: readonly Case[] = [
  ...ACCEPTED.map((each) => ({ ...each, expects: 'accepts' as const })),
  ...REFUSED.map((each) => ({ ...each, expects: 'refuses' as const })),
]
