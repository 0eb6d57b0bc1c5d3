import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import type { Registry } from 'prom-client'
import { createPasskeys } from './accounts/passkeys.ts'
import type { AppCache } from './apps/cache.ts'
import { annotateRoutes, recordResponse } from './apps/record-usage.ts'
import type { Usage } from './apps/usage.ts'
import { createAttemptLimiter, PASSWORD_ATTEMPTS } from './auth/attempt-limiter.ts'
import { authenticate } from './auth/authenticate.ts'
import { createKnownDevices } from './auth/known-devices.ts'
import { oauthRoutes } from './auth/oauth.ts'
import { createOidc } from './auth/oidc.ts'
import { createSessions } from './auth/session.ts'
import { signatureNames } from './auth/signature.ts'
import type { SigningKeys } from './auth/signing-keys.ts'
import { authenticateSitio } from './auth/sitio.ts'
import type { Tokens } from './auth/token.ts'
import type { Catalogue } from './catalogue/load.ts'
import type { Matcher } from './catalogue/match/matcher.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { guard } from './guard.ts'
import { identifyRequests, logRequests } from './http/access-log.ts'
import { collectPaths, type Paths } from './http/allowed-methods.ts'
import { announceWrites } from './http/announce-writes.ts'
import { handleErrors } from './http/errors.ts'
import { finishResponses } from './http/finish-response.ts'
import { Limiter } from './http/limits.ts'
import { measureRequests } from './http/metrics.ts'
import { allowOptions, pageAbove, readOffers, routeNotFound } from './http/negotiation.ts'
import { describeApi, openapiRoutes } from './http/openapi.ts'
import { createQuota } from './http/quota.ts'
import { mediaTypes } from './http/responses.ts'
import { SHARED } from './http/schemas.ts'
import { closeGracefully, healthRoutes, openServer } from './http/server.ts'
import { traceRequests } from './http/trace-requests.ts'
import { intakeRoutes } from './interno/consultas.ts'
import { marketRoutes } from './interno/market.ts'
import { photoRoutes } from './pages/fotos.ts'
import { menuOf } from './pages/menu.ts'
import { sendNotFound } from './pages/refusal.tsx'
import { pagesRoutes, sessionPages } from './pages/routes.ts'
import type { PhotoStorage } from './photos/photo.ts'
import { recordCalls } from './record-calls.ts'
import { agenciasRoutes } from './resources/agencias/routes.ts'
import { WEBHOOKS } from './resources/appnotificaciones/document.ts'
import { appnotificacionesRoutes } from './resources/appnotificaciones/routes.ts'
import { carroceriasRoutes } from './resources/carrocerias/carrocerias.ts'
import { ciudadesRoutes } from './resources/ciudades/ciudades.ts'
import { coloresRoutes } from './resources/colores/colores.ts'
import { type ConsultaIntake, createConsultaIntake } from './resources/consultas/intake.ts'
import { consultasRoutes } from './resources/consultas/routes.ts'
import { eventosRoutes } from './resources/eventos/eventos.ts'
import { homeRoutes } from './resources/home/home.ts'
import { marcasRoutes } from './resources/marcas/marcas.ts'
import { modelosRoutes } from './resources/modelos/modelos.ts'
import { operadoresRoutes } from './resources/operadores/routes.ts'
import { publicacionesRoutes } from './resources/publicaciones/routes.ts'
import { regionesRoutes } from './resources/regiones/regiones.ts'
import { sucursalesRoutes } from './resources/sucursales/routes.ts'
import { versionesRoutes } from './resources/versiones/versiones.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import type { SitioCache } from './sitios/store.ts'
import type { Store } from './store/db.ts'
import { readinessOf } from './store/health.ts'
import type { Seal } from './store/sealed.ts'
import type { DirectDelivery } from './webhooks/direct.ts'

/** What the application is built from; main.ts creates it. */
export interface AppDeps {
  config: Config
  clock: Clock
  /** Milliseconds that only ever grow, for what is measured rather than dated. */
  nowMs: () => number
  log: FastifyBaseLogger
  store: Store
  seal: Seal
  apps: AppCache
  sitios: SitioCache
  keys: SigningKeys
  tokens: Tokens
  catalogue: Catalogue
  matcher: Matcher
  metrics: Registry
  usage: Usage
  photoStorage: PhotoStorage
  /** Delivers events through the worker of this process; undefined without one (ROLE=api). */
  direct?: DirectDelivery | undefined
}

/** Additions, mostly for tests. */
interface Extras {
  /** More routes under /v3, behind the same guard. */
  more?: ((v3: FastifyInstance) => unknown) | undefined
  /** Called for every route as it is declared. */
  onRoute?: ((route: RouteOptions) => void) | undefined
}

/** Failed authentications by address. */
const FAILURES = { perSecond: 20, burst: 1000 }
const TOKENS_BY_ADDRESS = { perSecond: 10, burst: 200 }
const PAGES_BY_ADDRESS = { perSecond: 20, burst: 400 }
const PHOTOS_BY_ADDRESS = { perSecond: 200, burst: 4000 }
/** A site of the marketplace sends the requests of all its visitors, so its limit is this many times an app's. */
const SITIO_AS_APPS = 20

/** The table of contents: every mount, in its order. */
export async function buildApp(deps: AppDeps, { more, onRoute }: Extras = {}): Promise<FastifyInstance> {
  const { config, store, seal, clock, catalogue, matcher, apps, tokens, keys, nowMs, log, metrics } = deps
  const { publicUrl, signaturePrefix } = config
  const app = openServer({ log, metrics, publicUrl, trustProxy: config.trustProxy })
  if (onRoute) app.addHook('onRoute', onRoute)
  const paths = collectPaths(app)
  app.decorateRequest('caller')
  app.decorateRequest('claimedApp')
  app.decorateRequest('sitio')
  app.decorateRequest('negotiated', '')
  app.decorateRequest('bytes')
  announceWrites(app, store)
  for (const schema of SHARED) app.addSchema(schema)

  await describeApi(app, { ...config, webhooks: WEBHOOKS })
  handleErrors(app, publicUrl)
  identifyRequests(app)
  traceRequests(app)
  readOffers(app)
  closeGracefully(app)
  finishResponses(app)
  logRequests(app, log)
  measureRequests(app, metrics)

  const devices = createKnownDevices({ db: store, seal, clock })
  const sessions = createSessions({ db: store, seal, clock, devices })
  app.decorate('country', config.country)
  app.decorateRequest('language')
  app.decorate('brand', config.brand)
  // Before the body is read, whatever its type. The APIs have their own order of refusals (`guard`).
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || request.server !== app) return done()
    if (allowOptions(request, reply, paths)) return
    const problem = routeNotFound(request, paths)
    const above = problem.status === 405 && request.method === 'GET' ? pageAbove(request.url, paths) : undefined
    sendNotFound(request, reply, problem, above, (each) => menuOf({ sessions, store }, each)).catch(done)
  })
  app.setNotFoundHandler(() => undefined)

  const mount = (declare: (scope: FastifyInstance) => void) => app.register(async (scope) => declare(scope))
  await mount((scope) => healthRoutes(scope, readinessOf(store, clock, nowMs)))
  if (config.role === 'worker') return app // it answers nobody but its balancer

  await mount((scope) => openapiRoutes(scope, publicUrl, config.brand))
  const tokenLimiter = new Limiter(TOKENS_BY_ADDRESS, nowMs)
  await mount((scope) => oauthRoutes(scope, { apps, tokens, keys, publicUrl, limiter: tokenLimiter }))
  const limiter = new Limiter(PAGES_BY_ADDRESS, nowMs)
  const photoLimiter = new Limiter(PHOTOS_BY_ADDRESS, nowMs)
  await mount((scope) => photoRoutes(scope, deps.photoStorage, photoLimiter))
  const storesEmails = config.smtpUrl === undefined && config.role !== 'api' // a worker may have a mail server
  const intakeConfig = { ...config, storesEmails }
  const intake = createConsultaIntake({ store, matcher, clock, config: intakeConfig, direct: deps.direct })
  const passkeys = createPasskeys({ publicUrl, nameOf: () => config.brand.current().nombre, seal, clock })
  const attempts = createAttemptLimiter(nowMs, PASSWORD_ATTEMPTS)
  const signIn = { sessions, devices, passkeys, attempts, oidc: createOidc({ config, seal }) }
  const pageDeps = { store, seal, matcher, clock, config, catalogue, ...signIn, intake, nowMs, calls: deps.usage.calls }
  const publicNames = { publicUrl, signaturePrefix, brand: config.brand, timeZone: config.timeZone }
  await mount((scope) => pagesRoutes(scope, { ...publicNames, limiter, sessions, store, clock }))
  await app.register((scope) => sessionPages(scope, pageDeps, limiter, paths))
  await app.register((scope) => partnerApi(scope, { ...deps, intake, paths, more }), { prefix: '/v3' })
  await app.register((scope) => siteApi(scope, { ...deps, intake, paths }), { prefix: '/interno/v1' })
  return app
}

interface ApiDeps extends AppDeps {
  intake: ConsultaIntake
  paths: Paths
}

/** Everything partners call. */
async function partnerApi(app: FastifyInstance, deps: ApiDeps & Pick<Extras, 'more'>): Promise<void> {
  const { config, store, seal, apps, tokens, catalogue, matcher, clock, nowMs, usage, intake, paths, more } = deps
  const media = mediaTypes(config.vendor)
  const names = signatureNames(config.signaturePrefix)
  const authDeps = { apps, tokens, db: store, clock, names, failures: new Limiter(FAILURES, nowMs), usage }
  const quota = createQuota('app', { perSecond: config.ratePerSecond, burst: config.rateBurst }, nowMs)
  guard(app, {
    paths,
    quota,
    authenticate: (request, reply, admission) => authenticate(request, reply, authDeps, admission),
    clientOf: ({ caller }) => caller,
    onResponse: (request, status) => recordResponse(usage, request, status),
  })
  recordCalls(app, usage)

  annotateRoutes(app)
  homeRoutes(app, media)
  agenciasRoutes(app, media, { store, seal, matcher, clock, config })
  appnotificacionesRoutes(app, media, { store, seal, clock, config })
  eventosRoutes(app, media, store)
  consultasRoutes(app, media, { store, seal, clock, config })
  publicacionesRoutes(app, media, { store, matcher, clock, config })
  operadoresRoutes(app, media, { store, seal, matcher, clock, config })
  sucursalesRoutes(app, media, { store, seal, matcher, clock, config })
  carroceriasRoutes(app, media, catalogue, matcher)
  regionesRoutes(app, media, catalogue, matcher)
  ciudadesRoutes(app, media, catalogue, matcher)
  coloresRoutes(app, media, catalogue, matcher)
  marcasRoutes(app, media, catalogue, matcher)
  modelosRoutes(app, media, catalogue, matcher)
  versionesRoutes(app, media, catalogue, matcher)
  sandboxRoutes(app, media, { store, intake, config })
  more?.(app)
  app.setNotFoundHandler(() => undefined) // `negotiate` has refused it
}

/** What the marketplace's own site calls. */
async function siteApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const { config, store, sitios, clock, nowMs, intake, paths } = deps
  const authDeps = { sitios, failures: new Limiter(FAILURES, nowMs) }
  const rate = { perSecond: config.ratePerSecond * SITIO_AS_APPS, burst: config.rateBurst * SITIO_AS_APPS }
  guard(app, {
    paths,
    quota: createQuota('sitio', rate, nowMs),
    authenticate: (request, reply, admission) => authenticateSitio(request, reply, authDeps, admission),
    clientOf: ({ sitio }) => sitio,
  })

  const media = mediaTypes(config.vendor)
  intakeRoutes(app, media, intake, config)
  marketRoutes(app, media, { store, clock, config })
  app.setNotFoundHandler(() => undefined) // `negotiate` has refused it
}
