import type { FastifyReply } from 'fastify'
import type { Rate, Taken } from './limits.ts'

const policies = new WeakMap<Rate, string>()

/** Tells a client its limit and what is left of it, in the fields of the IETF's RateLimit draft. */
export function tellRate(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  reply.header('ratelimit-policy', policies.get(rate) ?? printPolicy(policy, rate))
  reply.header('ratelimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`)
}

/** Printed once for each rate. */
function printPolicy(policy: string, rate: Rate): string {
  const told = `"${policy}";q=${rate.burst};w=${Math.max(1, Math.ceil(rate.burst / rate.perSecond))}`
  policies.set(rate, told)
  return told
}
