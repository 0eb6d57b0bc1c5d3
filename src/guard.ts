import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Modo } from './apps/app.ts'
import { type Answered, countAnswer } from './apps/observe.ts'
import type { Usage } from './apps/usage.ts'
import { type CallerDeps, callerAtOnce } from './auth/authenticate.ts'
import { parseBodies, releaseLarge, takesLarge } from './http/body.ts'
import { passDoor } from './http/door.ts'
import type { Paths } from './http/methods.ts'
import { full, onceGone, overShare, refuseOverload } from './http/overload.ts'
import { matchQueryParams } from './http/query-params.ts'
import type { OwnRate, Quota } from './http/quota.ts'
import type { Door } from './http/short-way.ts'
import type { Gate } from './http/turn-away.ts'

/** Whoever asks: whose quota is spent, by its own rate where it has one, and in which mode. */
interface Asker {
  id: number
  modo: Modo
  limits?: OwnRate
  /** Of an app. */
  appKey?: string
}

export interface Guard {
  paths: Paths
  quota: Quota
  /** Who asks, or 401; a promise only where it waits. Whoever is known is admitted before their proof is used up. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    admit: (who: Asker) => () => void,
  ): Promise<void> | undefined
  /** Who asks, once that is known. */
  whose(request: FastifyRequest): { id: number }
  /** Hears of every answer. */
  answered?(asked: Answered, status: number): void
}

/** What a guard knows at once of those who come. */
export interface Guarded {
  /** Whether whoever comes now is refused. */
  isRefusing(): boolean
  /** Those of its refusals that can be told before anything else is done. */
  gate: Gate
}

/** What stands before every route of an API, in the order of its refusals: 503, 401, 429, 404, 405, 406; then its body. */
export function guard(app: FastifyInstance, { paths, quota, authenticate, whose, answered }: Guard): Guarded {
  parseBodies(app)
  matchQueryParams(app)
  const overload = refuseOverload<Asker>(app)
  app.addHook('onRequest', (request, reply, done) => {
    function admit(who: Asker) {
      if (typeof request.bytes === 'string') reply.header('connection', 'close') // nobody will read the rest
      if (who.modo === 'prueba') reply.header('modo', who.modo) // nobody mistakes the one for the other
      quota.spend(who.id, reply, who.limits)
      if (request.bytes === 'too-many') throw overShare()
      overload.enter(who, reply)
      return () => {
        quota.retract(who.id)
        reply.removeHeader('modo')
      }
    }
    if (takesLarge(request)) onceGone(reply, () => releaseLarge(request))
    const waiting = authenticate(request, reply, admit)
    if (waiting) return void waiting.then(() => passDoor(request, reply, paths)).then(() => done(), done)
    passDoor(request, reply, paths)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 304) quota.giveBack(whose(request).id)
    answered?.(request, reply.statusCode)
    done()
  })

  const [everybody, whoeverCrowds] = [full(), overShare()]
  return {
    isRefusing: overload.isRefusing,
    gate(raw) {
      if (overload.isRefusing()) return { problem: everybody, fields: [] }
      const who = overload.crowding(raw.headers.authorization)
      const fields = who && quota.take(who.id, who.limits)
      if (!fields) return undefined
      if (who.modo === 'prueba') fields.push('modo', who.modo)
      return {
        problem: whoeverCrowds,
        fields,
        app: who.appKey,
        sitio: who.appKey ? undefined : who.id,
        told: (route) => answered?.({ caller: who, raw, route }, whoeverCrowds.status),
      }
    },
  }
}

/** The same door for those who take the short way: they are known at once, and neither over their limit nor one too many. */
export function shortDoor(deps: CallerDeps, usage: Usage, quota: Quota, isShut: () => boolean): Door {
  return (raw) => {
    if (isShut()) return undefined
    const caller = callerAtOnce(raw, deps)
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
