import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Modo } from './apps/app.ts'
import type { Paths } from './http/allowed-methods.ts'
import { parseBodies, releaseLarge, takesLarge } from './http/body.ts'
import { onceAnswered, overShare, shedLoad } from './http/load-shedding.ts'
import { negotiate } from './http/negotiation.ts'
import { matchQueryParams } from './http/query-params.ts'
import type { OwnRate, Quota } from './http/quota.ts'

const OVER_SHARE = 429

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

/** A request that was answered, by Fastify or before it. */
interface Answered extends Pick<FastifyRequest, 'raw'> {
  caller?: { id: number }
  route: FastifyContextConfig
  params?: unknown
}

interface Guard {
  paths: Paths
  quota: Quota
  /** Recognises the client, or throws 401. It returns a promise only if it has to wait. */
  authenticate(request: FastifyRequest, reply: FastifyReply, admission: Admission): Promise<void> | undefined
  /** The client of an authenticated request. */
  clientOf(request: FastifyRequest): { id: number }
  onResponse?(request: Answered, status: number): void
}

/** The hooks before every route of an API, in the order of its refusals: 503, 401, 429, 404, 405, 406; then the body. */
export function guard(app: FastifyInstance, { paths, quota, authenticate, clientOf, onResponse }: Guard): void {
  parseBodies(app)
  matchQueryParams(app)
  /** Counts a request that is refused before Fastify, and gives the headers of its answer. */
  function count(client: Client, raw: IncomingMessage): Record<string, string> {
    const headers: Record<string, string> = {}
    const reply = { header: (name: string, value: string) => (headers[name] = value) }
    try {
      quota.spend(client.id, reply as unknown as FastifyReply, client.limits)
    } catch {} // over its rate too: one refusal is as good as the other
    if (client.modo === 'prueba') headers.modo = client.modo
    onResponse?.({ caller: client, raw, route: {} }, OVER_SHARE)
    return headers
  }
  const shedding = shedLoad(app, count)
  const readsBody = ({ id }: Client) => !shedding.isOverShare(id)
  app.addHook('onRequest', (request, reply, done) => {
    function admit(client: Client) {
      const { bytes } = request
      if (bytes === 'too-large' || bytes === 'too-many') reply.header('connection', 'close') // the rest is never read
      if (client.modo === 'prueba') reply.header('modo', client.modo)
      quota.spend(client.id, reply, client.limits)
      if (bytes === 'too-many' || bytes === 'unread') throw overShare()
      shedding.admit(client, reply)
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
