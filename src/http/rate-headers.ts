import type { FastifyReply } from 'fastify'
import type { Rate, Taken } from './limits.ts'

const policies = new WeakMap<Rate, string>()

/** Sets the headers of the IETF's RateLimit draft: the limit, and what is left of it. */
export function setRateHeaders(reply: FastifyReply, policy: string, rate: Rate, taken: Taken): void {
  reply.header('ratelimit-policy', formatPolicy(policy, rate))
  reply.header('ratelimit', formatRemaining(policy, taken))
}

/** Formatted once for each rate. */
export function formatPolicy(policy: string, rate: Rate): string {
  const known = policies.get(rate)
  if (known !== undefined) return known
  const formatted = `"${policy}";q=${rate.burst};w=${Math.max(1, Math.ceil(rate.burst / rate.perSecond))}`
  policies.set(rate, formatted)
  return formatted
}

export const formatRemaining = (policy: string, { remaining, resetSeconds }: Taken): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`
