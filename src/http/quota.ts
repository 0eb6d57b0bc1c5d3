import type { FastifyReply } from 'fastify'
import { Limiter, type Rate } from './limits.ts'
import { tooManyRequests } from './problems.ts'
import { tellRate } from './rate-headers.ts'

/** Asking whether something changed costs nothing, up to this many times the limit (decisions, "Rate limit"). */
const FREE_TIMES = 10

export interface Quota {
  /** Counts a request of an app and tells it what is left; over the limit, 429. */
  spend(appId: number, reply: FastifyReply): void
  /** For an answer that told nothing new (304). */
  giveBack(appId: number): void
}

/** What an app may ask of this node in a second. */
export function createQuota(rate: Rate, nowMs: () => number): Quota {
  const answers = new Limiter(rate, nowMs)
  const requests = new Limiter({ perSecond: rate.perSecond * FREE_TIMES, burst: rate.burst * FREE_TIMES }, nowMs)

  return {
    spend(appId, reply) {
      const any = requests.take(appId)
      const taken = any.allowed ? answers.take(appId) : { ...any, remaining: 0 }
      tellRate(reply, 'app', rate, taken)
      if (!taken.allowed)
        throw tooManyRequests(taken.retryAfterSeconds, 'La app superó su límite de solicitudes por segundo.')
    },
    giveBack: (appId) => answers.giveBack(appId),
  }
}
