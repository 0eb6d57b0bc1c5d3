import type { FastifyReply } from 'fastify'
import type { Rate, Taken } from './limits.ts'

const policies = new WeakMap<Rate, string>()

/** Tells a client its limit and what is left of it, in the fields of the IETF's RateLimit draft. */
export function tellRate(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  const told =
    policies.get(rate) ?? `"${policy}";q=${rate.burst};w=${Math.max(1, Math.ceil(rate.burst / rate.perSecond))}`
  policies.set(rate, told)
  reply.header('ratelimit-policy', told)
  reply.header('ratelimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`)
}
