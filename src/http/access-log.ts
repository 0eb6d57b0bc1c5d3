import type { FastifyBaseLogger, FastifyContextConfig, FastifyInstance } from 'fastify'
import { traceIds } from '../tracing.ts'

/** Logs one line per response. It has the route and never the URL, which may name a person. */
export function logRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, route, caller, sitio, span } = request
    const { statusCode: status, elapsedTime } = reply
    const ms = Math.round(elapsedTime * 100) / 100
    const client = { app: caller?.appKey, sitio: sitio?.id }
    const line = { method, route: route.url ?? 'none', reqId, status, ms, ...client, ...(span && traceIds(span)) }
    if (status >= 500) log.warn(line, 'request')
    else log.info(line, 'request')
    done()
  })
}

/** The config of a request's route; empty if no route was found. */
type Route = FastifyContextConfig & { readonly url?: string; readonly method?: string | string[] }

declare module 'fastify' {
  interface FastifyRequest {
    /** Read once for each request, because Fastify builds `routeOptions` on every access. */
    route: Route
  }
}

const NONE: Route = {}

/** On every answer: its id, and that a browser must not guess another type than the Content-Type. */
export const baseHeaders = (requestId: string) => ({ 'x-request-id': requestId, 'x-content-type-options': 'nosniff' })

/** The first hook of every request. */
export function identifyRequests(app: FastifyInstance): void {
  app.decorateRequest('route')
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions.config ?? NONE
    reply.headers(baseHeaders(request.id))
    done()
  })
}
