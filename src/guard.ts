import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Modo } from './apps/app.ts'
import type { Paths } from './http/allowed-methods.ts'
import { parseBodies, releaseLarge, takesLarge } from './http/body.ts'
import { onceAnswered, overShare, shedLoad } from './http/load-shedding.ts'
import { negotiate } from './http/negotiation.ts'
import { matchQueryParams } from './http/query-params.ts'
import type { OwnRate, Quota } from './http/quota.ts'

/** The app or site that calls. */
interface Client {
  id: number
  modo: Modo
  /** Its own rate, if it has one. */
  limits?: OwnRate
}

/** What authentication asks about a client it has recognised. */
interface Admission {
  /** False if the request will be refused anyway: its body is then not read. */
  readsBody(client: Client): boolean
  /** Counts the request or refuses it. The function returned takes that back. */
  admit(client: Client): () => void
}

interface Guard {
  paths: Paths
  quota: Quota
  /** Recognises the client, or throws 401. It returns a promise only if it has to wait. */
  authenticate(request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<void> | undefined
  /** The client of an authenticated request. */
  clientOf(request: FastifyRequest): { id: number }
  onResponse?(request: FastifyRequest, status: number): void
}

/** The hooks before every route of an API, in the order of its refusals: 503, 401, 429, 404, 405, 406; then the body. */
export function guard(app: FastifyInstance, { paths, quota, authenticate, clientOf, onResponse }: Guard): void {
  parseBodies(app)
  matchQueryParams(app)
  const shedding = shedLoad(app)
  const readsBody = ({ id }: Client) => !shedding.isOverShare(id)
  app.addHook('onRequest', (request, reply, done) => {
    function admit(client: Client) {
      const { bytes } = request
      if (bytes === 'too-large' || bytes === 'too-many') reply.header('connection', 'close') // the rest is never read
      if (client.modo === 'prueba') reply.header('modo', client.modo)
      quota.spend(client.id, reply, client.limits)
      if (bytes === 'too-many' || bytes === 'unread') throw overShare()
      shedding.admit(client.id, reply)
      return () => {
        quota.retract(client.id)
        reply.removeHeader('modo')
      }
    }
    if (takesLarge(request)) onceAnswered(reply, () => releaseLarge(request))
    const waiting = authenticate(request, reply, { readsBody, admit })
    if (waiting) return void waiting.then(() => negotiate(request, reply, paths)).then(() => done(), done)
    negotiate(request, reply, paths)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 304) quota.giveBack(clientOf(request).id)
    onResponse?.(request, reply.statusCode)
    done()
  })
}
