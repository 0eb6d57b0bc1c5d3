import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Modo } from './apps/app.ts'
import type { FinishedRequest } from './apps/record-usage.ts'
import type { Admission } from './auth/authenticate.ts'
import type { Paths } from './http/allowed-methods.ts'
import { type Body, mayHoldBody, parseBodies, releaseBody } from './http/body.ts'
import { onClosed, overloaded, overShare, shedLoad } from './http/load-shedding.ts'
import { negotiate } from './http/negotiation.ts'
import type { Problem } from './http/problems.ts'
import { matchQueryParams } from './http/query-params.ts'
import type { OwnRate, Quota } from './http/quota.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Counts the request as several, because it does the work of many. It is not refused for that; later ones may get 429. */
    countAs(requests: number): void
  }
}

const OVER_SHARE = 429
/** Bodies whose rest is never read. */
const UNREAD_REST = new Set<Body>(['too-large', 'too-many', 'overloaded'])

/** The app or site that calls. */
interface Client {
  id: number
  modo: Modo
  /** Its own rate, if it has one. */
  limits?: OwnRate
}

interface Guard {
  paths: Paths
  quota: Quota
  /** Recognises the client, or throws 401. */
  authenticate(request: FastifyRequest, reply: FastifyReply, admission: Admission<Client>): Promise<void>
  clientOf(request: FastifyRequest): Pick<Client, 'id' | 'limits'>
  onResponse?(request: FinishedRequest, status: number): void
}

/** The hooks before every route of an API, in the order of its refusals: 503, 401, 429, 404, 405, 406; then the body. */
export function guard(app: FastifyInstance, { paths, quota, authenticate, clientOf, onResponse }: Guard): void {
  parseBodies(app)
  matchQueryParams(app)
  /** The refusal of a client over its share, before Fastify. Counts the request and has the headers, as `admit` below does. */
  function refuse(client: Client, raw: IncomingMessage): Problem {
    const headers: Record<string, string> = {}
    const reply = { header: (name: string, value: string) => (headers[name] = value) }
    let problem = overShare()
    try {
      quota.consume(client.id, reply, client.limits)
    } catch (error) {
      problem = error as Problem // over its rate too, which `admit` checks first
    }
    if (client.modo === 'prueba') headers.modo = client.modo
    onResponse?.({ caller: client, raw, route: {} }, OVER_SHARE)
    Object.assign(problem.headers, headers)
    return problem
  }
  app.decorateReply('countAs', function (this: FastifyReply, requests: number) {
    const { id, limits } = clientOf(this.request)
    if (requests > 1) quota.charge(id, requests - 1, this, limits)
  })
  const shedding = shedLoad(app, refuse)
  const shouldReadBody = ({ id }: Client) => !shedding.isOverShare(id)
  app.addHook('onRequest', async (request, reply) => {
    function admit(client: Client) {
      const { rawBody } = request
      if (UNREAD_REST.has(rawBody)) reply.header('connection', 'close')
      if (client.modo === 'prueba') reply.header('modo', client.modo)
      const isConditional = request.headers['if-none-match'] !== undefined && /^(GET|HEAD)$/.test(request.method)
      quota.consume(client.id, reply, client.limits, { isConditional })
      if (rawBody === 'too-many' || rawBody === 'unread') throw overShare()
      if (rawBody === 'overloaded') throw overloaded()
      shedding.admit(client, reply)
      return () => {
        quota.undo(client.id)
        reply.removeHeader('modo')
      }
    }
    if (mayHoldBody(request)) onClosed(reply, () => releaseBody(request))
    await authenticate(request, reply, { shouldReadBody, admit })
    negotiate(request, reply, paths)
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 304) quota.refund(clientOf(request).id)
    onResponse?.(request, reply.statusCode)
    done()
  })
}
