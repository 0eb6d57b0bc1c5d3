import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../http/address.ts'
import type { Limiter } from '../http/limits.ts'
import { type Problem, tooManyRequests } from '../http/problems.ts'
import { tellRate } from '../http/rate-headers.ts'

/**
 * What a refused credential is answered with: its own 401, or 429 where the address fails too often. Only failures are
 * counted: a valid credential is never refused for those of a neighbour at the same address.
 */
export function failure(refusal: Problem, request: FastifyRequest, reply: FastifyReply, failures: Limiter): Problem {
  const taken = failures.take(addressKey(request.ip))
  tellRate(reply, 'direccion', failures.rate, taken)
  if (taken.allowed) return refusal
  return tooManyRequests(taken.retryAfterSeconds, 'Demasiados intentos fallidos desde esta dirección.')
}
