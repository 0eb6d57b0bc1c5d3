import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Caller, callerFor } from '../tests/support/caller.ts'
import type { Cluster } from './cluster.ts'

const CALLERS = 4
const RETRY_MS = 20
export const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']

/** What came of the calls so far. */
export interface Tally {
  requests: number
  /** The events that our answers told of: each was acknowledged, whatever happened then. */
  acknowledged: Set<string>
  /** 503, as a problem, with Retry-After. */
  announced: number
  /** No answer: the connection was refused or lost. */
  broken: number
  /** Anything else from 500 on, or a 503 that does not say when to come again. */
  serverErrors: string[]
  /** Answers below 500 that nobody expects: what should be taken was refused for another reason. */
  others: string[]
  /** The agencies whose invitation was acknowledged. */
  invited: Set<string>
  /** Requests that wait for their answer now, and the most there were. */
  waiting: number
  mostWaiting: number
  /** When each answer came and how long it took, by performance.now(). */
  answers: { at: number; ms: number; status: number }[]
}

/** A partner who never rests. */
export interface Load {
  tally: Tally
  stop(): Promise<void>
}

export interface LoadOptions {
  /** So many a second, whether or not earlier ones were answered; without it four callers, one after the other. */
  perSecond?: number
  /** Every how many-th asks for a letter too (an invitation). */
  emailEvery?: number
  /** What the partner's clock says. */
  clock?: () => Date
}

export const createTally = (): Tally => ({
  ...{ requests: 0, acknowledged: new Set(), announced: 0, broken: 0, serverErrors: [] },
  ...{ others: [], invited: new Set(), waiting: 0, mostWaiting: 0, answers: [] },
})

/** Has the app told of everything at that address, where it is not already. */
export async function registerWebhooks(caller: Caller, callback: string): Promise<void> {
  for (const topic of TOPICS) {
    const body = JSON.stringify({ Callback: callback })
    const { status, text } = await caller.call('POST', `/v3/appnotificaciones/${topic}`, { body })
    if (status !== 201 && status !== 409) throw new Error(`The webhook was not made: ${status} ${text}`)
  }
}

/** Asks so many times a second, whether or not earlier ones were answered, until it may rest. */
export async function atRate(
  perSecond: number,
  ask: (next: number) => Promise<unknown>,
  isStopped: () => boolean,
): Promise<void> {
  const under = new Set<Promise<unknown>>()
  const began = performance.now()
  for (let next = 1; !isStopped(); next++) {
    await pause(Math.max(0, began + (next * 1_000) / perSecond - performance.now()))
    const asking: Promise<unknown> = ask(next).finally(() => under.delete(asking))
    under.add(asking)
  }
  await Promise.all(under)
}

/** Points the app's webhooks at the receiver, and asks for one event after the other; what is refused is asked for again. */
export async function startLoad(
  { server, app }: Pick<Cluster, 'server' | 'app'>,
  callback: string,
  options: LoadOptions = {},
): Promise<Load> {
  const caller = callerFor(server.url, app.key, app.secret, options.clock ? { clock: options.clock } : {})
  await registerWebhooks(caller, callback)
  const tally = createTally()
  let isStopped = false

  async function ask(next: number): Promise<boolean> {
    const isInvitation = options.emailEvery !== undefined && next % options.emailEvery === 0
    const mail = `agencia${next}@drill.example`
    const body = JSON.stringify({ AdminMail: mail })
    const path = `/v3/appnotificaciones/${TOPICS[next % TOPICS.length]}/prueba`
    tally.requests++
    tally.mostWaiting = Math.max(tally.mostWaiting, ++tally.waiting)
    const began = performance.now()
    const calling = isInvitation ? caller.call('POST', '/v3/agencias', { body }) : caller.call('POST', path)
    const answer = await calling.catch(() => undefined)
    tally.waiting--
    const at = performance.now()
    tally.answers.push({ at, ms: at - began, status: answer?.status ?? 0 })
    return record(tally, answer, isInvitation ? mail : undefined)
  }

  async function askRepeatedly(turn: number): Promise<void> {
    for (let next = turn; !isStopped; next++) if (!(await ask(next))) await pause(RETRY_MS)
  }

  const asking = options.perSecond
    ? [atRate(options.perSecond, ask, () => isStopped)]
    : Array.from({ length: CALLERS }, (_, turn) => askRepeatedly(turn))
  return {
    tally,
    async stop() {
      isStopped = true
      await Promise.all(asking)
    },
  }
}

/** Counts an answer by what it is; whether it was a yes. */
function record(tally: Tally, answer: Answer | undefined, invited: string | undefined): boolean {
  if (!answer) tally.broken++
  else if (answer.status === 202) {
    if (invited) tally.invited.add(invited)
    else tally.acknowledged.add(answer.json.Id)
    return true
  } else if (isAnnounced(answer)) tally.announced++
  else if (answer.status >= 500) tally.serverErrors.push(`${answer.status} ${answer.text.slice(0, 200)}`)
  else tally.others.push(`${answer.status} ${answer.text.slice(0, 200)}`)
  return false
}

/** A 503 as partners are promised it: a problem that says when to come again. */
export const isAnnounced = ({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>): boolean =>
  status === 503 &&
  Number(headers['retry-after']) > 0 &&
  headers['content-type'] === 'application/problem+json' &&
  text.includes('"Status":503')
