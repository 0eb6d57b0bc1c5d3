// The same endpoints as most teams would write them, with Express, an ORM and common middleware: `server.js CONFIG PORT`.
// It does everything a client can see of ours (docs/decisions/tests.md).
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import pg from 'pg'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'
import { authenticateApps, authenticateSites, sealOf } from './auth.js'
import { catalogueRoutes } from './catalogue.js'
import { consoleRoutes } from './console.js'
import { consultasRoutes } from './consultas.js'
import { intakeRoutes } from './intake.js'
import { loteRoutes } from './lote.js'
import { answerProblems, Problem } from './problems.js'

const [file = '', port = ''] = process.argv.slice(2)
const config = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool({ ...config.connection, max: 20, idleTimeoutMillis: 0 }) // as many as ours has
pool.on('error', () => undefined)
const db = drizzle(pool)
const deps = { ...config, db, open: sealOf(config.masterKey) }

const storeBytes = (request, _response, bytes) => {
  request.rawBody = bytes
}

const app = express()
app.set('etag', 'strong')
app.disable('x-powered-by')
app.use(
  pinoHttp({
    logger: pino({ base: null }),
    genReqId(_request, response) {
      const id = randomUUID()
      response.setHeader('x-request-id', id)
      return id
    },
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'reqId', responseTime: 'ms' },
    serializers: { req: () => undefined, res: () => undefined },
    customProps: (request, response) => ({
      method: request.method,
      route: request.route?.path,
      status: response.statusCode,
      app: request.caller?.appKey,
      sitio: request.site?.id,
    }),
    customSuccessMessage: () => 'request',
  }),
)
app.get('/health/ready', async (_request, response) => {
  await db.execute(sql`select 1`)
  response.json({ status: 'ready' })
})
app.use(express.json({ type: ['application/json', 'text/json'], limit: '16mb', verify: storeBytes }))
app.use(express.text({ type: 'application/x-ndjson', limit: '16mb', verify: storeBytes }))

const limited = (keyOf) =>
  rateLimit({
    windowMs: 1_000,
    limit: config.ratePerSecond,
    keyGenerator: (request) => String(keyOf(request)),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // A 304 does not count.
    skipSuccessfulRequests: true,
    requestWasSuccessful: (_request, response) => response.statusCode === 304,
    handler() {
      throw new Problem(429, 'La app superó su límite de solicitudes por segundo.')
    },
  })

const TYPES = ['application/json', 'text/json', 'application/vnd.service.entry+json']
function negotiate(request, response, next) {
  response.vary('Accept')
  const type = request.accepts(TYPES)
  if (!type) throw new Problem(406, `Este recurso se ofrece como: ${TYPES.join(', ')}.`)
  response.type(type)
  next()
}

app.use(
  '/v3',
  authenticateApps(deps),
  limited(({ caller }) => caller.id),
  negotiate,
)
app.use(
  '/interno',
  authenticateSites(deps),
  limited(({ site }) => site.id),
  negotiate,
)
app.use(catalogueRoutes(deps), consultasRoutes(deps), intakeRoutes(deps), loteRoutes(deps), consoleRoutes(deps))
app.use(() => {
  throw new Problem(404, 'No hay nada en esa dirección.')
})
app.use(answerProblems(config.publicUrl))

const server = app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => pool.end()))
