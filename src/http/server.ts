import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import serializers from '@fastify/fast-json-stringify-compiler'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import type { Registry } from 'prom-client'
import { type Checks, OK, UNKNOWN } from '../store/health.ts'
import { MAX_PARAM_LENGTH } from './allowed-methods.ts'
import { answerClientErrors, refuseExpectation } from './client-errors.ts'
import { createCookies } from './cookies.ts'
import { hstsOf } from './early-problem.ts'
import { createEarlyRefusals } from './load-shedding.ts'
import { routableUrl } from './negotiation.ts'
import { buildValidator } from './validate.ts'

const CONNECTIONS = {
  requireHostHeader: false, // nothing here uses Host
  requestTimeout: 60_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000, // finds slow senders soon
  keepAliveTimeout: 72_000, // longer than balancers keep theirs: it is theirs to end
}

/** A client that reads nothing for so long is disconnected: its unread responses count as requests in progress. */
const STALLED_MS = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    /** True from the moment this process begins to stop: every response ends its connection, and `ready` answers 503. */
    draining: boolean
  }
}

interface ServerDeps {
  log: FastifyBaseLogger
  metrics: Registry
  publicUrl: string
  trustProxy: string[]
}

/** The server before there is any route: how it listens, and what it refuses to read. */
export function openServer({ log, metrics, publicUrl, trustProxy }: ServerDeps): FastifyInstance {
  const earlyRefusals = createEarlyRefusals({ log, publicUrl, metrics })
  const hsts = new Map(Object.entries(hstsOf(publicUrl)))
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // http/access-log.ts writes one line per response
    // Fastify types this factory by its own Ajv pool, which ours replaces.
    schemaController: { bucket, compilersFactory: { buildValidator: buildValidator as never, buildSerializer } },
    childLoggerFactory: (same) => same, // one for each request costs more than naming the request in its few lines
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    serverFactory: (handler) =>
      createServer(CONNECTIONS, (raw, response) => {
        response.setHeaders(hsts)
        if (app.draining) response.shouldKeepAlive = false
        if (!app.server.listening || !earlyRefusals.answer(raw, response)) handler(raw, response)
      }),
    clientErrorHandler: answerClientErrors(publicUrl),
    exposeHeadRoutes: false,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  app.decorate('draining', false)
  app.decorate('cookies', createCookies(publicUrl))
  app.decorate('earlyRefusals', earlyRefusals)
  app.server.timeout = STALLED_MS
  app.server.on('checkExpectation', refuseExpectation(publicUrl))
  return app
}

type Schemas = Record<string, unknown>

/** The shared schemas of a scope. Fastify's own bucket clones every schema and copies the list for each route: 40 of 140 ms of a start. */
function bucket(inherited: unknown = {}) {
  let schemas = inherited as Schemas
  let isOwn = false // until then it is also the parent's, or a compiler's
  return {
    add(schema: unknown): never {
      const { $id } = schema as { $id?: string }
      if (!$id || $id in schemas) throw new Error(`A shared schema needs a new $id: ${$id}`)
      if (!isOwn) schemas = { ...schemas }
      isOwn = true
      schemas[$id] = schema
      return undefined as never // Fastify returns itself to the caller of addSchema
    },
    getSchema: (id: string) => schemas[id],
    getSchemas(): Schemas {
      isOwn = false
      return schemas
    },
  }
}

type Factory = ReturnType<typeof serializers.SerializerSelector>

const buildNow: Factory = serializers.SerializerSelector()

/** Builds a serialiser when it is first used: most responses are bytes that exist already, and building all is slow. */
const buildSerializer: Factory = (shared, options) => {
  let compiler: ReturnType<Factory> | undefined
  return (route) => {
    let serialize: ReturnType<ReturnType<Factory>> | undefined
    return (answer) => {
      compiler ??= buildNow(shared, options)
      serialize ??= compiler(route)
      return serialize(answer)
    }
  }
}

const SWEEP_MS = 50
/** While stopping, a connection without a byte for so long is closed: browsers open some in advance and never use them. */
const SILENT_MS = 300
const CLOSE_ALL_MS = 6_000 // what has not finished by then is a client that does not read, or never sends the rest

/** All connections end before an orchestrator kills the process. */
export function closeGracefully(app: FastifyInstance): void {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // For Node a connection without a byte is not idle: it waits for the headers of a request.
  const closeSilent = () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    app.draining = true
    if (!app.server.listening) return done() // without a listener `close` is never emitted
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
    // setImmediate: after a busy moment a request may have arrived that Node has not read yet.
    const silent = setTimeout(() => setImmediate(closeSilent), SILENT_MS)
    const last = setTimeout(() => app.server.closeAllConnections(), CLOSE_ALL_MS)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(silent)
      clearTimeout(last)
    })
    done()
  })
}

/** No `caching` in its config: a health check has no ETag and is never answered with 304. */
const HEALTH_CHECK: Pick<RouteOptions, 'schema' | 'onRequest'> = {
  schema: { hide: true },
  onRequest: async (_request, reply) => void reply.header('cache-control', 'no-store'),
}

/** For balancers, without credentials: whether the process runs, and whether it can do its work. */
export function healthRoutes(app: FastifyInstance, check: () => Promise<Checks>): void {
  app.get('/health/live', HEALTH_CHECK, () => ({ status: 'live' }))
  app.get('/health/ready', HEALTH_CHECK, async (request, reply) => {
    const checks = await check()
    const [fault] = Object.values(checks).filter((state) => state !== OK && state !== UNKNOWN)
    const reason = request.server.draining ? 'this process is stopping' : fault
    if (reason === undefined) return { status: 'ready', checks }
    if (fault) request.log.warn({ reqId: request.id, checks }, 'not ready')
    reply.code(503).header('retry-after', '1')
    return { status: 'not ready', reason, checks }
  })
}
