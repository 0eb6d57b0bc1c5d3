import type { FastifyReply } from 'fastify'
import type { Rate, Taken } from './limits.ts'

/** Tells a client its limit and what is left of it, in the fields of the IETF's RateLimit draft. */
export function tellRate(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  const window = Math.max(1, Math.ceil(rate.burst / rate.perSecond))
  reply.header('ratelimit-policy', `"${policy}";q=${rate.burst};w=${window}`)
  reply.header('ratelimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`)
}
