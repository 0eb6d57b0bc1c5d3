import type { Response } from './connection.ts'

/** What came of what was asked. */
export interface Outcome {
  seconds: number
  sent: number
  /** Due, but every connection still waited for its answers. */
  unsent: number
  /** The inquiries that were taken (201), by the sid that the answer names. */
  sids: string[]
  /** How long those took, from when they were due: so many in each millisecond. */
  servedMs: number[]
  /** Refusals as they are promised, by status, and how long they took. */
  refused: Record<number, number>
  refusedMs: number[]
  /** Answers that are neither: how many, and the first. */
  wrong: number
  firstWrong: string
  /** 5xx among them. */
  serverErrors: number
  /** Connections that ended with requests on them, and requests that nobody answered. */
  broken: number
  unanswered: number
}

const LONGEST_MS = 120_000
const RETRY_AFTER = /\r\nretry-after: *[1-9]\d*(?:\r\n|$)/i
const PROBLEM = /\r\ncontent-type: *application\/problem\+json(?:\r\n|$)/i
const LOCATION = /\r\nlocation: *\S*\/(\w+)(?:\r\n|$)/i
const SHOWN = 300

export const createOutcome = (): Outcome => ({
  ...{ seconds: 0, sent: 0, unsent: 0, sids: [], servedMs: [], refused: {}, refusedMs: [] },
  ...{ wrong: 0, firstWrong: '', serverErrors: 0, broken: 0, unanswered: 0 },
})

/** Counts an answer by what it is. */
export function record(outcome: Outcome, answer: Response): void {
  const { status, head, body, dueMs, atMs } = answer
  const ms = Math.min(LONGEST_MS, Math.floor(atMs - dueMs))
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

/** Counts an answer to nothing: whatever it is, it is wrong. */
export function recordUnexpected(outcome: Outcome, head: string): void {
  outcome.wrong++
  outcome.firstWrong ||= `an answer that nobody had asked for: ${head}`.slice(0, SHOWN)
}

/** Bodies that were found to be whole problems of a status: nearly all are the same to the letter. */
const whole = new Map<string, number>()
const MOST_WHOLE = 1_000

/** 429 or 503 as partners are promised it: a whole problem, and when to come again. */
export function isPromisedRefusal({ status, head, body }: Pick<Response, 'status' | 'head' | 'body'>): boolean {
  if ((status !== 429 && status !== 503) || !RETRY_AFTER.test(head) || !PROBLEM.test(head)) return false
  if (whole.get(body) === status) return true
  if (!isProblemOf(status, body)) return false
  if (whole.size < MOST_WHOLE) whole.set(body, status)
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

/** Several clients as one. */
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

/** The time within which that share of them was answered; where there were none, none. */
export function quantile(counts: readonly number[], share: number): number | undefined {
  const all = counts.reduce((sum, count = 0) => sum + count, 0)
  let seen = 0
  for (const [ms, count = 0] of counts.entries()) {
    seen += count
    if (seen >= all * share && seen > 0) return ms
  }
  return undefined
}
