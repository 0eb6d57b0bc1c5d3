import type { FastifyInstance } from 'fastify'
import { addressKey } from '../http/ip-keys.ts'
import type { Limiter } from '../http/limits.ts'
import { tooManyRequests } from '../http/problems.ts'
import { setRateHeaders } from '../http/rate-headers.ts'
import { securePages } from './security.ts'

/** What every page has before it is made: its headers, and a limit on how many one address may ask for. */
export function openPages(app: FastifyInstance, limiter: Limiter): void {
  securePages(app)
  app.addHook('onRequest', (request, reply, done) => {
    const taken = limiter.take(addressKey(request.ip))
    setRateHeaders(reply, 'direccion', limiter.rate, taken)
    if (!taken.allowed)
      throw tooManyRequests(taken.retryAfterSeconds, 'Demasiadas páginas pedidas desde esta dirección.')
    done()
  })
}
