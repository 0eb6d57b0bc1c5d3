import type { Span } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import { endSpan, isTracing, startSpan, traceparentOf, withSpans } from '../tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Only while tracing is on. */
    span: Span | undefined
  }
}

/** A span for each request but health checks. It has the route and never the URL, which may name a person. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span')
  if (!isTracing()) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    const { url: route = 'none' } = request.route
    if (route.startsWith('/health/')) return done()
    const span = startSpan(`${method} ${route}`, {
      kind: 'SERVER',
      parent: headers.traceparent?.toString(),
      attributes: { 'http.request.method': method, 'http.route': route, 'rodado.request_id': request.id },
    })
    if (!span) return done()
    request.span = span
    headers.traceparent = traceparentOf(span) // stored with the events of the request: their delivery continues it
    withSpans([span], done)
  })
  // Fastify parses some bodies in a callback of the socket, which belongs to no request.
  app.addHook('preValidation', ({ span }, _reply, done) => (span ? withSpans([span], done) : done()))
  app.addHook('onResponse', ({ span }, { statusCode }, done) => {
    const reason = statusCode >= 500 ? String(statusCode) : undefined
    if (span) endSpan(span, reason, { 'http.response.status_code': statusCode })
    done()
  })
}
