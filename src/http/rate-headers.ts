import type { FastifyReply } from 'fastify'
import type { Rate, Taken } from './limits.ts'

const policies = new WeakMap<Rate, string>()

/** Tells a client its limit and what is left of it, in the fields of the IETF's RateLimit draft. */
export function setRateHeaders(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  reply.header('ratelimit-policy', formatPolicy(policy, rate))
  reply.header('ratelimit', formatRemaining(policy, taken))
}

/** The limit; printed once for each rate. */
export function formatPolicy(policy: string, rate: Rate): string {
  const known = policies.get(rate)
  if (known !== undefined) return known
  const told = `"${policy}";q=${rate.burst};w=${Math.max(1, Math.ceil(rate.burst / rate.perSecond))}`
  policies.set(rate, told)
  return told
}

/** What is left of it. */
export const formatRemaining = (policy: string, { remaining, resetSeconds }: Taken): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`
