import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Modo } from './apps/app.ts'
import { countAnswer } from './apps/observe.ts'
import type { Usage } from './apps/usage.ts'
import { type SignatureNeeds, signerAtOnce } from './auth/signed.ts'
import { parseBodies } from './http/body.ts'
import { passDoor } from './http/door.ts'
import type { Paths } from './http/methods.ts'
import { type Overload, refuseOverload } from './http/overload.ts'
import type { OwnRate, Quota } from './http/quota.ts'
import type { Door } from './http/short-way.ts'

export interface Guard {
  paths: Paths
  quota: Quota
  /** Who asks, or 401; a promise only where it waits. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined
  /** Who asks: whose quota is spent, and in which mode. */
  whose(request: FastifyRequest): { id: number; modo: Modo }
  /** Hears of every answer. */
  answered?(request: FastifyRequest, status: number): void
  /** Its own rate, where it may have one. */
  ownRate?(request: FastifyRequest): OwnRate
}

/** What stands before every route of an API, in the order of its refusals: 503, 401, 429, 404, 405, 406; then its body. */
export function guard(app: FastifyInstance, { paths, quota, authenticate, whose, ownRate, answered }: Guard): Overload {
  parseBodies(app)
  const overload = refuseOverload(app)
  function admit(request: FastifyRequest, reply: FastifyReply): void {
    if (request.bytes === 'too-large') reply.header('connection', 'close') // nobody will read the rest
    const { id, modo } = whose(request)
    if (modo === 'prueba') reply.header('modo', modo) // nobody mistakes the one for the other
    quota.spend(id, reply, ownRate?.(request))
    overload.enter(id, reply)
    passDoor(request, reply, paths)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const waiting = authenticate(request, reply)
    if (waiting) return void waiting.then(() => admit(request, reply)).then(() => done(), done)
    admit(request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 304) quota.giveBack(whose(request).id)
    answered?.(request, reply.statusCode)
    done()
  })
  return overload
}

/** The same door for those who take the short way: they have signed, and are neither over their limit nor one too many. */
export function shortDoor(needs: SignatureNeeds, usage: Usage, quota: Quota, isShut: () => boolean): Door {
  return (raw) => {
    if (isShut()) return undefined
    const caller = signerAtOnce(raw, needs)
    const fields = caller && quota.take(caller.id, caller.limits)
    if (!fields) return undefined
    if (caller.modo === 'prueba') fields.push('modo', caller.modo)
    return {
      appKey: caller.appKey,
      fields,
      answered(route, status) {
        if (status === 304) quota.giveBack(caller.id)
        countAnswer(usage, { caller, raw, route }, status)
      },
    }
  }
}
