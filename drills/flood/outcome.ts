import type { Response } from './connection.ts'

/** The results of a client, or of several. */
export interface Outcome {
  seconds: number
  sent: number
  /** Due, but every connection had requests in flight. */
  unsent: number
  /** The sids of the stored inquiries (201). */
  sids: string[]
  /** Their response times from when they were due: a count for each millisecond. */
  servedMs: number[]
  /** Refusals as specified, by status, and their response times. */
  refused: Record<number, number>
  refusedMs: number[]
  /** Any other response: how many, and the first. */
  wrong: number
  firstWrong: string
  /** The 5xx among them. */
  serverErrors: number
  /** Requests on connections that ended, and requests that were never answered. */
  broken: number
  unanswered: number
}

const MAX_MS = 120_000
const RETRY_AFTER = /\r\nretry-after: *[1-9]\d*(?:\r\n|$)/i
const PROBLEM = /\r\ncontent-type: *application\/problem\+json(?:\r\n|$)/i
const LOCATION = /\r\nlocation: *\S*\/(\w+)(?:\r\n|$)/i
const SHOWN = 300

export const createOutcome = (): Outcome => ({
  seconds: 0,
  sent: 0,
  unsent: 0,
  sids: [],
  servedMs: [],
  refused: {},
  refusedMs: [],
  wrong: 0,
  firstWrong: '',
  serverErrors: 0,
  broken: 0,
  unanswered: 0,
})

/** Counts a response. */
export function record(outcome: Outcome, answer: Response): void {
  const { status, head, body, dueMs, atMs } = answer
  const ms = Math.min(MAX_MS, Math.floor(atMs - dueMs))
  const sid = status === 201 ? LOCATION.exec(head)?.[1] : undefined
  if (sid) {
    outcome.sids.push(sid)
    outcome.servedMs[ms] = (outcome.servedMs[ms] ?? 0) + 1
  } else if (isPromisedRefusal(answer)) {
    outcome.refused[status] = (outcome.refused[status] ?? 0) + 1
    outcome.refusedMs[ms] = (outcome.refusedMs[ms] ?? 0) + 1
  } else {
    outcome.wrong++
    outcome.firstWrong ||= `${head} ${body}`.slice(0, SHOWN)
    if (status >= 500) outcome.serverErrors++
  }
}

/** Counts a response without a request, which is always wrong. */
export function recordUnexpected(outcome: Outcome, head: string): void {
  outcome.wrong++
  outcome.firstWrong ||= `a response without a request: ${head}`.slice(0, SHOWN)
}

/** Bodies that were checked before: nearly all are identical. */
const whole = new Map<string, number>()
const MAX_WHOLE = 1_000

/** True for a 429 or 503 as specified: a complete problem with Retry-After. */
export function isPromisedRefusal({ status, head, body }: Pick<Response, 'status' | 'head' | 'body'>): boolean {
  if ((status !== 429 && status !== 503) || !RETRY_AFTER.test(head) || !PROBLEM.test(head)) return false
  if (whole.get(body) === status) return true
  if (!isProblemOf(status, body)) return false
  if (whole.size < MAX_WHOLE) whole.set(body, status)
  return true
}

function isProblemOf(status: number, body: string): boolean {
  try {
    const { Type, Title, Status, Detail, Instance, Extensions } = JSON.parse(body)
    const texts = [Type, Title, Detail, Instance].every((each) => typeof each === 'string' && each.length > 0)
    return texts && Status === status && typeof Extensions === 'object' && Extensions !== null
  } catch {
    return false
  }
}

/** Adds up the results of several clients. */
export function sumOf(outcomes: readonly Outcome[]): Outcome {
  const total = createOutcome()
  const add = (into: number[], from: number[]) =>
    from.forEach((count, ms) => {
      into[ms] = (into[ms] ?? 0) + count
    })
  for (const each of outcomes) {
    total.seconds = Math.max(total.seconds, each.seconds)
    for (const name of ['sent', 'unsent', 'wrong', 'serverErrors', 'broken', 'unanswered'] as const)
      total[name] += each[name]
    for (const sid of each.sids) total.sids.push(sid)
    add(total.servedMs, each.servedMs)
    add(total.refusedMs, each.refusedMs)
    for (const [status, count] of Object.entries(each.refused))
      total.refused[Number(status)] = (total.refused[Number(status)] ?? 0) + count
    total.firstWrong ||= each.firstWrong
  }
  return total
}

/** The time within which that share was answered; undefined if nothing was. */
export function quantile(counts: readonly number[], share: number): number | undefined {
  const all = counts.reduce((sum, count = 0) => sum + count, 0)
  let seen = 0
  for (const [ms, count = 0] of counts.entries()) {
    seen += count
    if (seen >= all * share && seen > 0) return ms
  }
  return undefined
}
