import type { FastifyReply } from 'fastify'
import { Limiter, type Rate } from './limits.ts'
import { tooManyRequests } from './problems.ts'
import { tellRate } from './rate-headers.ts'

/** Asking whether something changed costs nothing, up to this many times the limit (decisions, "Rate limit"). */
const FREE_TIMES = 10

export interface Quota {
  /** Counts a request of that app or site and tells it what is left; over the limit, 429. */
  spend(id: number, reply: FastifyReply): void
  /** For an answer that told nothing new (304). */
  giveBack(id: number): void
}

const EXCEEDED = {
  app: 'La app superó su límite de solicitudes por segundo.',
  sitio: 'El sitio superó su límite de solicitudes por segundo.',
}

/** What an app, or a site, may ask of this node in a second. */
export function createQuota(whose: keyof typeof EXCEEDED, rate: Rate, nowMs: () => number): Quota {
  const answers = new Limiter(rate, nowMs)
  const requests = new Limiter({ perSecond: rate.perSecond * FREE_TIMES, burst: rate.burst * FREE_TIMES }, nowMs)

  return {
    spend(id, reply) {
      const any = requests.take(id)
      const taken = any.allowed ? answers.take(id) : { ...any, remaining: 0 }
      tellRate(reply, whose, rate, taken)
      if (!taken.allowed) throw tooManyRequests(taken.retryAfterSeconds, EXCEEDED[whose])
    },
    giveBack: (id) => answers.giveBack(id),
  }
}
