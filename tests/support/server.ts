import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type Client, createClient, createSiteClient, type SiteClient } from '@rodado/client'
import type { FastifyInstance, RouteOptions } from 'fastify'
import pino from 'pino'
import { Registry } from 'prom-client'
import { buildApp } from '../../src/app.ts'
import type { App, Modo } from '../../src/apps/app.ts'
import { openAppCache } from '../../src/apps/cache.ts'
import { createApp } from '../../src/apps/store.ts'
import { openUsage, type Usage } from '../../src/apps/usage.ts'
import { openSigningKeys } from '../../src/auth/signing-keys.ts'
import { createTokens } from '../../src/auth/token.ts'
import { openBrand } from '../../src/brand/store.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { LOG_OPTIONS } from '../../src/log.ts'
import { MAIL_TABLES } from '../../src/mail/email.ts'
import { mailHandlers } from '../../src/mail/handler.ts'
import { readLatestEmails, type StoredEmail } from '../../src/mail/mail-log.ts'
import { measureAttempts, measureOutbox } from '../../src/outbox/metrics.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../src/outbox/worker.ts'
import { PHOTOS, photoHandler } from '../../src/photos/handler.ts'
import type { PhotoStorage } from '../../src/photos/photo.ts'
import { openPhotoStorage } from '../../src/photos/storage.ts'
import { consultaWriter } from '../../src/resources/consultas/emails.ts'
import { createSitio, openSitioCache, type Sitio } from '../../src/sitios/store.ts'
import { openStore, type Store } from '../../src/store/db.ts'
import type { Connection } from '../../src/store/failover.ts'
import { openListener } from '../../src/store/listener.ts'
import { openReplicas, type ReplicaStatus } from '../../src/store/replicas.ts'
import { createSeal, type Seal } from '../../src/store/sealed.ts'
import { ALERTS, alertHandler } from '../../src/webhooks/alerts.ts'
import { directDelivery } from '../../src/webhooks/direct.ts'
import { DELIVERIES, type DeliveryHandlerOptions, deliveryHandler } from '../../src/webhooks/handler.ts'
import { measureDeliveries } from '../../src/webhooks/metrics.ts'
import type { Watch } from '../secrets/watch.ts'
import { type Answer, type Caller, callerFor, type Sent, send } from './caller.ts'
import { catalogueOf, matcherOf } from './catalogue.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { REQUESTS_FILE } from './requests-file.ts'
import { logInRun } from './run-log.ts'
import { until } from './until.ts'

const MASTER_KEY = randomBytes(32)
const MANY = 1_000
/** Long, so that a busy machine does not time out. */
const PATIENT = { retries: 0, timeoutMs: 120_000 }
const noteStatus = logInRun('statuses')

/** A test server: real socket, real database, with the clock and the log in the test's control. */
export interface TestServer {
  url: string
  app: FastifyInstance
  config: Config
  store: Store
  connection: Connection
  seal: Seal
  masterKey: Buffer
  metrics: Registry
  photoStorage: PhotoStorage
  replicas(): ReplicaStatus[]
  /** The usage counters; tests flush them on demand. */
  usage: Usage
  /** The declared routes, without derived ones (HEAD, OPTIONS, 405). */
  routes: { method: string; url: string; bodyLimit: number | undefined }[]
  /** All declared routes with their schemas and limits. */
  declared: RouteOptions[]
  /** The log so far. */
  logged(): string
  /** The emails in the outbox, newest first; optionally those to one address. */
  emails(to?: string): Promise<StoredEmail[]>
  /** Creates an app and returns its caller. */
  newApp(options?: { nombre?: string; modo?: Modo }): Promise<TestApp>
  /** Creates a site and returns its caller. */
  newSitio(options?: { modo?: Modo }): Promise<TestSitio>
  stop(): Promise<void>
}

export interface TestApp extends Caller {
  app: App
  secret: string
  /** Our client library, as a partner uses it. */
  client: Client
}

export interface TestSitio {
  sitio: Sitio
  sitioKey: string
  client: SiteClient
  /** A request with the SitioKey; a body is sent as JSON. */
  call(method: string, path: string, options?: Omit<Sent, 'method'>): Promise<Answer>
}

export interface ServerOptions {
  env?: Record<string, string>
  clock?: () => Date
  /** The clock of the limits; tests may stop it to count exactly. */
  nowMs?: () => number
  /** The port, where PUBLIC_URL has to name it; else any. */
  port?: number
  /** An existing database: of another node, or behind a proxy. */
  connection?: Connection
  /** Replicas of that database. */
  replicas?: { urls: string[]; maxLagMs: number }
  /** The master key of an existing database. */
  masterKey?: Buffer
  /** Runs a worker that sends emails to that mail server, or stores them without one. By default nothing leaves the outbox. */
  worker?: {
    smtpUrl?: string
    timing?: WorkerOptions['timing']
    sending?: DeliveryHandlerOptions['sending']
    /** Called for each delivery that succeeded, beside the metrics. */
    observe?: DeliveryHandlerOptions['observe']
  }
  /** Collects secrets and searches for them when the server stops (tests/secrets). */
  watch?: Watch
  /** Additional routes under /v3. */
  routes?: (v3: FastifyInstance) => unknown
}

export async function startServer({
  env = {},
  clock = () => new Date(),
  ...given
}: ServerOptions = {}): Promise<TestServer> {
  const database = given.connection ? undefined : await createDatabase()
  const connection = given.connection ?? (database as TestDatabase).connection
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'http://rodado.test',
    RATE_PER_SECOND: '100000',
    RATE_BURST: '100000',
    ...(given.worker?.smtpUrl && { SMTP_URL: given.worker.smtpUrl }),
    ...env,
  })
  const lines: string[] = []
  const written = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = pino({ ...LOG_OPTIONS, level: given.watch ? 'trace' : 'info' }, written)

  const store = openStore({ connection, max: 8, log })
  const masterKey = given.masterKey ?? MASTER_KEY
  const seal = given.watch?.over(createSeal(masterKey)) ?? createSeal(masterKey)
  const listener = openListener({ connection, log })
  const nowMs = given.nowMs ?? (() => performance.now())
  const apps = await openAppCache({ store, seal, listener, nowMs: () => performance.now(), log })
  const sitios = await openSitioCache(store, listener, () => performance.now())
  const brand = await openBrand(store, listener, config)
  config.brand = brand
  const keys = await openSigningKeys(store, seal, listener)
  const tokens = createTokens(keys, config.publicUrl, clock)
  const metrics = new Registry()
  const usage = openUsage({ store, log, timeZone: config.timeZone, clock })
  const routes: TestServer['routes'] = []
  const declared: RouteOptions[] = []
  const onRoute = (route: RouteOptions) => {
    const { method, url, bodyLimit } = route
    declared.push(route)
    if (method === 'HEAD' || method === 'OPTIONS') return
    for (const each of [method].flat()) routes.push({ method: each, url, bodyLimit })
  }
  const writer = consultaWriter(store, config)
  const { timing, sending, observe } = given.worker ?? {}
  const observeLatency = measureDeliveries(metrics)
  const deliveries = deliveryHandler({
    seal,
    config,
    clock,
    usage,
    nowMs: () => performance.now(),
    ...(sending && { sending }),
    observe: (seconds, atFirstAttempt) => {
      observeLatency(seconds)
      observe?.(seconds, atFirstAttempt)
    },
  })
  const photoStorage = openPhotoStorage(config)
  const photos = photoHandler({ db: store, storage: photoStorage, config, ...(sending?.ca && { ca: sending.ca }) })
  const alerts = alertHandler({ seal, config, clock, ...(sending && { sending }) })
  const handlers = [...mailHandlers({ seal, writer, config }), deliveries, photos, alerts]
  const tables = handlers.map(({ table }) => table)
  if (given.worker)
    measureOutbox(metrics, store, [...MAIL_TABLES.map((table) => ({ table })), DELIVERIES, PHOTOS, ALERTS])
  const worker: Worker | undefined =
    given.worker &&
    startWorker({
      store,
      listener,
      handlers,
      log,
      random: () => 0.5,
      observe: measureAttempts(metrics, tables, (table) => worker?.inFlight(table) ?? 0),
      ...(timing && { timing }),
    })
  const replicas = openReplicas({
    store,
    connection,
    log,
    metrics,
    pool: { max: 8 },
    ...(given.replicas ?? { urls: [], maxLagMs: 0 }),
  })
  const app = await buildApp(
    {
      config,
      clock,
      nowMs,
      log,
      store: replicas.store,
      seal,
      apps,
      sitios,
      keys,
      tokens,
      catalogue: catalogueOf(config.country, config.catalogueDir),
      matcher: matcherOf(config),
      metrics,
      usage,
      photoStorage,
      direct: worker && directDelivery(worker, deliveries),
    },
    { more: given.routes, onRoute },
  )
  rememberStatuses(app)
  given.watch?.attachTo(app)
  let requests = 0
  app.server.on('request', () => requests++)
  const url = await app.listen({ host: '127.0.0.1', port: given.port ?? 0 })
  config.port = Number(new URL(url).port)

  const server: TestServer = {
    url,
    app,
    config,
    store,
    connection,
    seal,
    masterKey,
    metrics,
    photoStorage,
    replicas: replicas.status,
    usage,
    routes,
    declared,
    logged: () => lines.join(''),
    emails: (to) => readLatestEmails(store, { seal, writer }, MANY, to),
    async newApp({ nombre = 'App de prueba', modo = 'produccion' } = {}) {
      const made = await createApp(store, seal, { nombre, modo })
      await until(() => apps.find(made.app.appKey)) // the node hears of it a moment after the commit
      const { appKey } = made.app
      const { signaturePrefix: prefix, vendor } = config
      const now = () => clock().getTime()
      const client = createClient({ baseUrl: url, appKey, appSecret: made.secret, prefix, vendor, now, ...PATIENT })
      return { ...made, client, ...callerFor(url, appKey, made.secret, { prefix, clock }) }
    },
    async newSitio({ modo = 'produccion' } = {}) {
      const made = await createSitio(store, { nombre: 'Sitio de prueba', modo })
      await until(() => sitios.find(made.sitioKey))
      const own = { authorization: `Bearer ${made.sitioKey}` }
      return {
        ...made,
        client: createSiteClient({ baseUrl: url, sitioKey: made.sitioKey, ...PATIENT }),
        call: (method, path, { headers = {}, body } = {}) =>
          send(url, path, {
            method,
            headers: { ...own, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
            ...(body !== undefined && { body }),
          }),
      }
    },
    async stop() {
      await app.close()
      if (process.env[REQUESTS_FILE]) appendFileSync(process.env[REQUESTS_FILE], `${requests}\n`)
      await worker?.stop()
      await usage.stop()
      brand.close()
      keys.close()
      await listener.close()
      await replicas.close()
      try {
        await given.watch?.end(server)
      } finally {
        await store.close()
        await database?.drop()
      }
    },
  }
  return server
}

/** Logs every status, for the test that compares them with contract/statuses.tsv after the whole run. */
function rememberStatuses(app: FastifyInstance): void {
  // First of all, because Fastify gives a request that cannot be decoded another URL.
  app.server.prependListener('request', ({ method, url }, response) => {
    response.once('finish', () => noteStatus(`${method}\t${url?.split('?', 1)[0]}\t${response.statusCode}`))
  })
}
