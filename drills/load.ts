import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type Caller, callerFor } from '../tests/support/caller.ts'
import type { Cluster } from './instances.ts'

const CALLERS = 4
const RETRY_MS = 20
export const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']

/** The results so far. */
export interface Tally {
  requests: number
  /** The events whose request was a success. */
  acknowledged: Set<string>
  /** 503 in the problem format with Retry-After. */
  announced: number
  /** No response: the connection was refused or lost. */
  broken: number
  /** Any other 5xx, also a 503 without Retry-After. */
  serverErrors: string[]
  /** Unexpected responses below 500. */
  others: string[]
  /** The agencies whose invitation was answered with 202. */
  invited: Set<string>
  /** Requests in flight now, and the most at once. */
  waiting: number
  mostWaiting: number
  /** The time and duration of each response, by performance.now(). */
  answers: { at: number; ms: number; status: number }[]
}

/** A partner that sends requests until stopped. */
interface Load {
  tally: Tally
  stop(): Promise<void>
}

interface LoadOptions {
  /** Sends at this rate, whether or not earlier requests were answered. By default four callers send one after another. */
  perSecond?: number
  /** Every n-th request is an invitation, which sends an email. */
  emailEvery?: number
  /** The partner's clock. */
  clock?: () => Date
}

export const createTally = (): Tally => ({
  requests: 0,
  acknowledged: new Set(),
  announced: 0,
  broken: 0,
  serverErrors: [],
  others: [],
  invited: new Set(),
  waiting: 0,
  mostWaiting: 0,
  answers: [],
})

/** Registers webhooks for every topic. Existing ones are kept. */
export async function registerWebhooks(caller: Caller, callback: string): Promise<void> {
  for (const topic of TOPICS) {
    const body = JSON.stringify({ Callback: callback })
    const { status, text } = await caller.call('POST', `/v3/appnotificaciones/${topic}`, { body })
    if (status !== 201 && status !== 409) throw new Error(`The webhook was not made: ${status} ${text}`)
  }
}

/** Sends requests at a rate, whether or not earlier ones were answered, until stopped. */
async function atRate(
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

/** A request of a load: its response, the status of a success, and what to do then. */
export interface LoadRequest {
  calling: Promise<Answer>
  success: number
  acknowledge(answer: Answer, tally: Tally): void
}

/** Registers the app's webhooks and requests one test event after another. */
export async function startLoad(
  { server, app }: Pick<Cluster, 'server' | 'app'>,
  callback: string,
  { clock, emailEvery, perSecond }: LoadOptions = {},
): Promise<Load> {
  const caller = callerFor(server.url, app.key, app.secret, clock ? { clock } : {})
  await registerWebhooks(caller, callback)

  function testEvent(next: number): LoadRequest {
    const path = `/v3/appnotificaciones/${TOPICS[next % TOPICS.length]}/prueba`
    const acknowledge: LoadRequest['acknowledge'] = ({ json }, tally) => void tally.acknowledged.add(json.Id)
    return { calling: caller.call('POST', path), success: 202, acknowledge }
  }

  function invitation(next: number): LoadRequest {
    const mail = `agencia${next}@drill.example`
    const calling = caller.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: mail }) })
    return { calling, success: 202, acknowledge: (_, tally) => void tally.invited.add(mail) }
  }

  const isInvitation = (next: number) => emailEvery !== undefined && next % emailEvery === 0
  return sendLoad((next) => (isInvitation(next) ? invitation(next) : testEvent(next)), perSecond)
}

/** Sends requests and counts their responses until stopped; by default four callers send one after another. */
export function sendLoad(request: (next: number) => LoadRequest, perSecond?: number): Load {
  const tally = createTally()
  let isStopped = false

  async function ask(next: number): Promise<boolean> {
    tally.requests++
    tally.mostWaiting = Math.max(tally.mostWaiting, ++tally.waiting)
    const began = performance.now()
    const { calling, success, acknowledge } = request(next)
    const answer = await calling.catch(() => undefined)
    tally.waiting--
    const at = performance.now()
    tally.answers.push({ at, ms: at - began, status: answer?.status ?? 0 })
    if (answer?.status !== success) {
      countFailure(tally, answer)
      return false
    }
    acknowledge(answer, tally)
    return true
  }

  async function askRepeatedly(first: number): Promise<void> {
    for (let next = first; !isStopped; next += CALLERS) if (!(await ask(next))) await pause(RETRY_MS)
  }

  const asking = perSecond
    ? [atRate(perSecond, ask, () => isStopped)]
    : Array.from({ length: CALLERS }, (_, first) => askRepeatedly(first))
  return {
    tally,
    async stop() {
      isStopped = true
      await Promise.all(asking)
    },
  }
}

function countFailure(tally: Tally, answer: Answer | undefined): void {
  if (!answer) tally.broken++
  else if (isAnnounced(answer)) tally.announced++
  else if (answer.status >= 500) tally.serverErrors.push(`${answer.status} ${answer.text.slice(0, 200)}`)
  else tally.others.push(`${answer.status} ${answer.text.slice(0, 200)}`)
}

/** The 503 of the specification: a problem with Retry-After. */
export const isAnnounced = ({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>): boolean =>
  status === 503 &&
  Number(headers['retry-after']) > 0 &&
  headers['content-type'] === 'application/problem+json' &&
  text.includes('"Status":503')
