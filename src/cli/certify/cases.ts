import { TOPICS } from '../../webhooks/topics.ts'
import type { Probe, Reply } from './probe.ts'

/** One thing that a receiver meets, and what it should answer. */
export interface Case {
  name: string
  expects: 'accepts' | 'refuses'
  /** What to do where it does not. */
  advice: string
  run(probe: Probe): Promise<Reply[]>
}

const BURST = 20
const OLD_SECONDS = 3600

/** One after the other, as they are sent. */
async function inTurn(...sends: (() => Promise<Reply>)[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const send of sends) replies.push(await send())
  return replies
}

export const CASES: readonly Case[] = [
  {
    name: 'a genuine consulta.recibida is accepted',
    expects: 'accepts',
    advice: 'Answer 2xx within 15 seconds. Is the Secret the one it verifies with?',
    run: (probe) => inTurn(() => probe.send('consulta.recibida')),
  },
  {
    name: 'every topic is accepted',
    expects: 'accepts',
    advice: 'Answer 2xx also to topics that you do nothing with: anything else is sent again for days.',
    run: (probe) => inTurn(...TOPICS.map((topic) => () => probe.send(topic))),
  },
  {
    name: 'a retry is accepted: same id, later time, attempt 2',
    expects: 'accepts',
    advice: 'A retry has fresh webhook-timestamp and signatures: verify those that came with it.',
    run: (probe) => {
      const id = probe.newId()
      return inTurn(
        () => probe.send('consulta.recibida', { id, skewSeconds: -5 }),
        () => probe.send('consulta.recibida', { id, attempt: 2 }),
      )
    },
  },
  {
    name: 'the same event five times at once is accepted each time',
    expects: 'accepts',
    advice: 'Remember webhook-id, and answer 2xx to what you have already: a 409 or 500 has it sent again.',
    run: (probe) => {
      const id = probe.newId()
      return Promise.all(Array.from({ length: 5 }, () => probe.send('consulta.recibida', { id })))
    },
  },
  {
    name: 'consulta.modificada before its consulta.recibida is accepted',
    expects: 'accepts',
    advice: 'Order is not promised: accept what you cannot place yet, and read the inquiry by its link.',
    run: (probe) =>
      inTurn(
        () => probe.send('consulta.suprimida'),
        () => probe.send('consulta.modificada'),
        () => probe.send('consulta.recibida', { skewSeconds: -60 }),
      ),
  },
  {
    name: `${BURST} at the same time are accepted`,
    expects: 'accepts',
    advice: 'Put the event in a queue of yours and answer; do the work after.',
    run: (probe) => Promise.all(Array.from({ length: BURST }, () => probe.send('consulta.recibida'))),
  },
  {
    name: 'two signatures, while a secret is replaced, are accepted',
    expects: 'accepts',
    advice: 'webhook-signature may hold several, separated by a space: one that fits is enough.',
    run: (probe) => inTurn(() => probe.send('consulta.recibida', { signed: 'both' })),
  },
  {
    name: 'a member and a topic of a later version are accepted',
    expects: 'accepts',
    advice: 'Additions are not breaking: ignore what you do not know, and answer 2xx.',
    run: (probe) =>
      inTurn(
        () => probe.send('consulta.recibida', { body: { Novedad: { Que: ['ñandú', '🚗'] } } }),
        () => probe.send('agencia.futura'),
      ),
  },
  {
    name: 'letters of every kind, and a long comment, are accepted',
    expects: 'accepts',
    advice: 'Verify the bytes as they came, before any parsing: what is printed anew has another signature.',
    run: (probe) =>
      inTurn(() =>
        probe.send('webhook.prueba', { body: { Texto: `“¿Qué tal?” \u2028 \u0000 \\/ ${'ñ🚗'.repeat(20_000)}` } }),
      ),
  },
  {
    name: 'one that another secret signed is refused',
    expects: 'refuses',
    advice: 'Anybody can post to your address. Compare webhook-signature, and answer 401.',
    run: (probe) => inTurn(() => probe.send('consulta.recibida', { signed: 'wrong' })),
  },
  {
    name: 'one without a signature is refused',
    expects: 'refuses',
    advice: 'No signature is a wrong signature: answer 401.',
    run: (probe) => inTurn(() => probe.send('consulta.recibida', { signed: 'not' })),
  },
  {
    name: 'one that was changed on the way is refused',
    expects: 'refuses',
    advice: 'The signature must be computed over the body too: id, timestamp and body, joined by dots.',
    run: (probe) => inTurn(() => probe.send('consulta.recibida', { tampered: true })),
  },
  {
    name: 'a recording from an hour ago is refused',
    expects: 'refuses',
    advice: 'Refuse what is more than five minutes away from your clock, also when its signature is right.',
    run: (probe) => inTurn(() => probe.send('consulta.recibida', { skewSeconds: -OLD_SECONDS })),
  },
  {
    name: 'one from an hour ahead is refused',
    expects: 'refuses',
    advice: 'Refuse what is more than five minutes away from your clock, also in the future.',
    run: (probe) => inTurn(() => probe.send('consulta.recibida', { skewSeconds: OLD_SECONDS })),
  },
]
