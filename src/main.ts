import { randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { deleteEndedSessions } from './accounts/sessions.ts'
import { firstStaffToken } from './accounts/staff.ts'
import { buildApp } from './app.ts'
import { openAppCache } from './apps/cache.ts'
import { clearOldCalls } from './apps/call-log.ts'
import { openUsage } from './apps/usage.ts'
import { deleteExpiredSignatures } from './auth/authenticate.ts'
import { openSigningKeys } from './auth/signing-keys.ts'
import { createTokens } from './auth/token.ts'
import { openBrand } from './brand/store.ts'
import { type Catalogue, loadCatalogue } from './catalogue/load.ts'
import { cacheMatches, createMatcher, type Matcher, warmUp } from './catalogue/match/matcher.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './clock.ts'
import type { Config } from './config.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { measureProcess, serveMetrics } from './http/metrics.ts'
import { LOG_OPTIONS, logDestination } from './log.ts'
import { MAIL_TABLES } from './mail/email.ts'
import { mailHandlers } from './mail/handler.ts'
import { lazy } from './memoize.ts'
import { measureAttempts, measureOutbox } from './outbox/metrics.ts'
import { startWorker } from './outbox/worker.ts'
import { PHOTOS, photoHandler } from './photos/handler.ts'
import type { PhotoStorage } from './photos/photo.ts'
import { queuePhotos } from './photos/queue.ts'
import { removeUnusedPhotos } from './photos/remove-unused.ts'
import { openPhotoStorage } from './photos/storage.ts'
import { consultaWriter } from './resources/consultas/emails.ts'
import { sendReminders } from './resources/consultas/reminders.ts'
import { maintainConsultas, prepareConsultas } from './resources/consultas/retention.ts'
import { fitToLapsedPaquetes } from './resources/publicaciones/fit-to-paquete.ts'
import { answerInvitaciones } from './sandbox/agency.ts'
import { openSitioCache } from './sitios/store.ts'
import { openHeartbeat, type Part } from './status/heartbeat.ts'
import type { StatementObserver } from './store/db.ts'
import { continueFeeds } from './store/feed.ts'
import { openListener } from './store/listener.ts'
import { measureBackups, measurePool, measureStatements } from './store/metrics.ts'
import { openInstallation, timeoutsOf } from './store/open.ts'
import { openReplicas } from './store/replicas.ts'
import { agreedTime, deleteOldRows } from './store/retention.ts'
import { keepFollowing } from './store/sealed.ts'
import { measureTasks, type ScheduledTask, startTasks } from './tasks.ts'
import { startTracing, traceIds, traceStatement } from './tracing.ts'
import { VERSION } from './version.ts'
import { ALERTS, alertFailing, alertHandler } from './webhooks/alerts.ts'
import { type DirectDelivery, directDelivery } from './webhooks/direct.ts'
import { warnFailing } from './webhooks/failure-warnings.ts'
import { DELIVERIES, deliveryHandler } from './webhooks/handler.ts'
import { measureDeliveries, measureWebhooks } from './webhooks/metrics.ts'
import { createLogMonths, maintainLog } from './webhooks/sweep.ts'

/** All indexes then take about ten seconds. */
const WARM_UP_PAUSE_MS = 200

/** A running server, and the way to end it. */
interface Running {
  url: string
  app: FastifyInstance
  /** While nobody of the staff has an account: a link that makes the first one, good once. */
  firstStaffUrl?: string
  /** Announces the stop to balancers (`ready` answers 503) and goes on serving for DRAIN_SECONDS. */
  drain(): Promise<void>
  /** Stops accepting, finishes what runs, closes the store; safe to call twice. */
  stop(): Promise<void>
}

/** Config → store → application → listen; stopped in reverse order. */
export async function start(given: Config, log: Logger = createLog(given)): Promise<Running> {
  const config = { ...given }
  const ends: (() => unknown)[] = []
  /** Parts with work in progress: they stop together, so stopping takes as long as the slowest. */
  const draining: (() => Promise<unknown>)[] = []
  const stopAll = lazy(async () => {
    await Promise.all(draining.map((drain) => drain()))
    for (const end of ends.reverse()) await end()
    await new Promise<void>((resolve) => log.flush(() => resolve()))
  })

  try {
    const nowMs = () => performance.now()
    const clock = () => new Date()
    const metrics = new Registry()
    collectDefaultMetrics({ register: metrics })
    if (config.tracing) ends.push(await startTracing(VERSION, log))
    const observeStatement = observeStatements(metrics)
    const opening = openInstallation(config, 'serve', log, observeStatement)
    ends.push(() =>
      opening.then(
        ({ close }) => close(),
        () => undefined,
      ),
    )
    const catalogue = loadCatalogue(config.country, config.catalogueDir) // while PostgreSQL starts
    const matcher = createMatcher(catalogue, { publicUrl: config.publicUrl })

    const { store, seal, connection, directConnection } = await opening
    await continueFeeds(store, log)
    await prepareConsultas({ store, config, log }, clock())
    await createLogMonths(store, clock()).catch((err) => log.warn({ err }, 'event log: could not create a partition'))
    const listener = openListener({ connection, direct: directConnection, log })
    ends.push(() => listener.close())
    ends.push(keepFollowing(store, seal, log, listener))
    const apps = await openAppCache({ store, seal, listener, nowMs, log })
    const sitios = await openSitioCache(store, listener, nowMs)
    const brand = await openBrand(store, listener, config)
    config.brand = brand
    ends.push(() => brand.close())
    const keys = await openSigningKeys(store, seal, listener)
    ends.push(() => keys.close())
    const tokens = createTokens(keys, config.publicUrl, clock)
    const usage = openUsage({ store, log, timeZone: config.timeZone, clock })
    ends.push(() => usage.stop())

    measureProcess(metrics, config)
    measurePool(metrics, store)
    measureTasks(metrics, store)
    measureBackups(metrics, store)
    measureOutbox(metrics, store, [...MAIL_TABLES.map((table) => ({ table })), DELIVERIES, PHOTOS, ALERTS])
    measureWebhooks(metrics, store)
    const photoStorage = openPhotoStorage(config)
    const heartbeat = openHeartbeat({ db: store, log, parts: PARTS_OF_ROLE[config.role] })
    let direct: DirectDelivery | undefined
    if (config.role !== 'api') {
      const observeLatency = measureDeliveries(metrics)
      const observeDelivery = (seconds: number, atFirstAttempt: boolean) => {
        observeLatency(seconds)
        if (atFirstAttempt) heartbeat.delivered(seconds * SECOND_MS)
      }
      const deliveries = deliveryHandler({ seal, config, clock, nowMs, usage, observe: observeDelivery })
      const photos = photoHandler({ db: store, storage: photoStorage, config })
      const emails = mailHandlers({ seal, writer: consultaWriter(store, config), config })
      const handlers = [...emails, deliveries, photos, alertHandler({ seal, config, clock })]
      const tables = handlers.map(({ table }) => table)
      const observe = measureAttempts(metrics, tables, (table) => worker.inFlight(table))
      const worker = startWorker({ store, listener, handlers, log, random: chance, observe })
      draining.push(() => worker.stop())
      direct = directDelivery(worker, deliveries)
      const tasks = scheduledTasks({ store, seal, catalogue, matcher, clock, config, log, photoStorage })
      draining.push(startTasks(tasks, { store, log, nowMs }))
    }
    const replicas = openReplicas({
      store,
      connection: directConnection,
      log,
      metrics,
      pool: { max: config.pgPool, observe: observeStatement, ...timeoutsOf(config) },
      urls: config.role === 'worker' ? [] : config.databaseReplicaUrls,
      maxLagMs: config.replicaMaxLag * SECOND_MS,
    })
    ends.push(() => replicas.close())
    const app = await buildApp({
      config,
      clock,
      nowMs,
      log,
      store: replicas.store,
      seal,
      metrics,
      usage,
      direct,
      photoStorage,
      apps,
      sitios,
      keys,
      tokens,
      catalogue,
      matcher: cacheMatches(matcher),
    })
    if (config.metricsPort !== undefined) {
      const { metricsHost: host, metricsPort: port } = config
      const explained = explainPort('METRICS_PORT', port)
      const served = await serveMetrics(metrics, { host, port, token: config.metricsToken }).catch(explained)
      ends.push(served.close)
      config.metricsPort = served.port // with 0 the system chose one; no webhook may reach it
    }

    draining.push(() => app.close())
    const url = await app.listen({ host: config.host, port: config.port }).catch(explainPort('PORT', config.port))
    config.port = (app.server.address() as AddressInfo).port
    heartbeat.start()
    ends.push(() => heartbeat.stop())
    log.info({ url, publicUrl: config.publicUrl }, 'rodado is listening')
    if (config.role !== 'worker') ends.push(warmInBackground(matcher, catalogue, log))
    const token = config.role === 'worker' ? undefined : await firstStaffToken(store)
    const drain = async () => {
      if (config.role === 'worker' || config.drainSeconds === 0) return // nobody calls a worker
      app.draining = true
      log.info(
        { seconds: config.drainSeconds },
        'stopping: not ready any more, but serving until balancers have noticed',
      )
      await pause(config.drainSeconds * SECOND_MS)
    }
    return { url, app, ...(token && { firstStaffUrl: `${config.publicUrl}/personal/${token}` }), drain, stop: stopAll }
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** What the status page learns from a process. */
const PARTS_OF_ROLE: Record<Config['role'], readonly Part[]> = {
  all: ['api', 'entregas'],
  api: ['api'],
  worker: ['entregas'],
}

type TaskDeps = Parameters<typeof answerInvitaciones>[0] & { config: Config; log: Logger; photoStorage: PhotoStorage }

/** What workers do besides delivering. Every task is listed in docs/database.md. */
export const scheduledTasks = (deps: TaskDeps): ScheduledTask[] => {
  const { store, seal, config, clock } = deps
  const url = config.bounceImapUrl
  const time = () => agreedTime(store, clock)
  return [
    { name: 'signatures', everyMs: MINUTE_MS, run: () => deleteExpiredSignatures(store) },
    { name: 'idempotency-keys', everyMs: HOUR_MS, run: () => deleteExpiredKeys(store) },
    { name: 'ended-sessions', everyMs: HOUR_MS, run: () => deleteEndedSessions(store) },
    { name: 'failing-webhooks', everyMs: MINUTE_MS, run: () => warnFailing(store, { seal, config }) },
    { name: 'alerts', everyMs: MINUTE_MS, run: () => alertFailing(store, { config }) },
    { name: 'call-log', everyMs: HOUR_MS, run: () => clearOldCalls(store) },
    { name: 'reminders', everyMs: MINUTE_MS, run: () => sendReminders(store) },
    { name: 'packages', everyMs: MINUTE_MS, run: () => fitToLapsedPaquetes({ store, clock, config }) },
    { name: 'old-events', everyMs: HOUR_MS, run: async (signal) => maintainLog(deps, await time(), signal) },
    { name: 'old-rows', everyMs: DAY_MS, run: async (signal) => deleteOldRows(deps, await time(), signal) },
    { name: 'inquiries', everyMs: HOUR_MS, run: async (signal) => maintainConsultas(deps, await time(), signal) },
    // Also without a mailbox: a task that is no longer run would count as late.
    { name: 'bounces', everyMs: MINUTE_MS, run: async (signal) => url && readBounces({ ...deps, url }, signal) },
    { name: 'photos', everyMs: SECOND_MS, run: (signal) => queuePhotos(store, signal) },
    { name: 'unused-photos', everyMs: DAY_MS, run: (signal) => removeUnusedPhotos(store, deps.photoStorage, signal) },
    { name: 'sandbox', everyMs: SECOND_MS, run: () => answerInvitaciones(deps) },
  ]
}

/** Loaded on use: few installations have such a mailbox. */
const readBounces = async (...args: Parameters<typeof import('./mail/bounce-mailbox.ts').readBounceMailbox>) =>
  (await import('./mail/bounce-mailbox.ts')).readBounceMailbox(...args)

/** Says which variable to change; Node's own message names only the port. */
const explainPort =
  (variable: string, port: number) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EADDRINUSE')
      throw new Error(`${variable} ${port} is taken. Stop what listens there, or set ${variable}.`)
    if (error.code === 'EACCES')
      throw new Error(`${variable} ${port} needs more rights than this user has. Set ${variable}.`)
    throw error
  }

/** Builds the indexes of bestmatch while the server runs, so that a start does not wait for them. */
function warmInBackground(matcher: Matcher, catalogue: Catalogue, log: Logger): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  warmUp(matcher, catalogue, () => pause(WARM_UP_PAUSE_MS, undefined, { signal, ref: false })).catch((err) => {
    if (!signal.aborted) log.error({ err }, 'bestmatch: could not build an index')
  })
  return () => stopping.abort()
}

/** From 0 to 1. */
const chance = () => randomInt(2 ** 32) / 2 ** 32

const createLog = ({ logLevel: level, tracing }: Config): Logger =>
  pino({ ...LOG_OPTIONS, level, ...(tracing && { mixin: () => traceIds() }) }, logDestination(process.stdout.fd))

/** Measures each statement, and traces it if it runs for a request or a delivery. */
function observeStatements(metrics: Registry): StatementObserver {
  const measure = measureStatements(metrics)
  return (name) => {
    const [measured, traced] = [measure(name), traceStatement(name)]
    return (error) => {
      measured(error)
      traced?.(error)
    }
  }
}
