import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { MAX_PARAM_LENGTH } from './allowed-methods.ts'
import { answerClientErrors, hstsOf, refuseExpectation } from './client-errors.ts'
import { createCookies } from './cookies.ts'
import { routableUrl } from './negotiation.ts'
import { buildSerializer } from './serialize.ts'
import { buildValidator } from './validate.ts'

const CONNECTIONS = {
  requireHostHeader: false, // nothing here uses Host
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000, // finds slow senders soon
  keepAliveTimeout: 72_000, // longer than balancers keep theirs: it is theirs to end
}

export interface ServerDeps {
  log: FastifyBaseLogger
  publicUrl: string
  /** Addresses of the proxies in front. */
  trustProxy: string[]
}

/** The server before there is any route: how it listens, and what it refuses to read. */
export function openServer({ log, publicUrl, trustProxy }: ServerDeps): FastifyInstance {
  const hsts = new Map(Object.entries(hstsOf(publicUrl)))
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // http/access-log.ts writes one line per response
    // Fastify types this factory by its own Ajv pool, which ours replaces.
    schemaController: { compilersFactory: { buildValidator: buildValidator as never, buildSerializer } },
    childLoggerFactory: (same) => same, // one for each request costs more than naming the request in its few lines
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    serverFactory: (handler) =>
      createServer(CONNECTIONS, (raw, response) => {
        response.setHeaders(hsts)
        handler(raw, response)
      }),
    clientErrorHandler: answerClientErrors(publicUrl),
    exposeHeadRoutes: false,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  app.decorate('cookies', createCookies(publicUrl))
  app.server.on('checkExpectation', refuseExpectation(publicUrl))
  return app
}
