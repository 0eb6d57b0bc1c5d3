// The same endpoints as people usually write them: `server.js CONFIG PORT`. Express, an ORM, and the middleware that most
// would choose; it keeps the promises that ours keeps (docs/decisions.md, "Speed").
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
const pool = new pg.Pool({ ...config.connection, max: 20, idleTimeoutMillis: 0 }) // as many as ours has, kept while others have their turns
pool.on('error', () => undefined)
const db = drizzle(pool)
const needs = { ...config, db, open: sealOf(config.masterKey) }

const keepBytes = (request, _response, bytes) => {
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
app.use(express.json({ type: ['application/json', 'text/json'], limit: '16mb', verify: keepBytes }))
app.use(express.text({ type: 'application/x-ndjson', limit: '16mb', verify: keepBytes }))

const limited = (whose) =>
  rateLimit({
    windowMs: 1_000,
    limit: config.ratePerSecond,
    keyGenerator: (request) => String(whose(request)),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Asking whether something changed costs nothing.
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
  authenticateApps(needs),
  limited(({ caller }) => caller.id),
  negotiate,
)
app.use(
  '/interno',
  authenticateSites(needs),
  limited(({ site }) => site.id),
  negotiate,
)
app.use(catalogueRoutes(needs), consultasRoutes(needs), intakeRoutes(needs), loteRoutes(needs), consoleRoutes(needs))
app.use(() => {
  throw new Problem(404, 'No hay nada en esa dirección.')
})
app.use(answerProblems(config.publicUrl))

const server = app.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => server.close(() => pool.end()))
