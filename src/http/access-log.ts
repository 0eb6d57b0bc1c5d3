import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Logs one line per response. It has the route and never the URL, which may name a person. */
export function logRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, route, caller, sitio } = request
    const { statusCode: status, elapsedTime } = reply
    const ms = Math.round(elapsedTime * 100) / 100
    const line = { method, route: route.url ?? 'none', reqId, status, ms, app: caller?.appKey, sitio: sitio?.id }
    if (status >= 500) log.warn(line, 'request')
    else log.info(line, 'request')
    done()
  })
}
