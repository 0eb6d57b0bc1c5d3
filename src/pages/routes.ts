import type { FastifyInstance } from 'fastify'
import { refuseCrossOrigin } from '../auth/session.ts'
import type { BrandSource } from '../brand/brand.ts'
import type { Paths } from '../http/allowed-methods.ts'
import { negotiateLanguage } from '../http/language.ts'
import type { Limiter } from '../http/limits.ts'
import { pageAbove } from '../http/negotiation.ts'
import { methodNotAllowed } from '../http/problems.ts'
import { assetsRoutes } from './assets.ts'
import { avisoRoutes, drawingRoutes } from './aviso/routes.ts'
import { blocksRoutes } from './baja/routes.tsx'
import { brandAssets } from './brand-assets.ts'
import { collaborateRoutes } from './colaborar/routes.tsx'
import { connectRoutes } from './conectar/routes.tsx'
import { consolePages } from './consola/routes.ts'
import { accountPages } from './cuenta/routes.ts'
import type { OwnDeps } from './docs/own.tsx'
import { docsRoutes } from './docs/routes.tsx'
import { codeRoutes } from './entrar/code-routes.tsx'
import { oidcRoutes } from './entrar/oidc-routes.tsx'
import { passwordRoutes } from './entrar/password-routes.tsx'
import { signInRoutes } from './entrar/routes.tsx'
import { joinRoutes } from './equipo/routes.tsx'
import { type StatusDeps, statusRoutes } from './estado/routes.tsx'
import { filterRoutes } from './filtrar.ts'
import { parseForms } from './form.ts'
import { homeOf } from './home-link.tsx'
import { goToRoutes } from './ir/routes.tsx'
import { landingPage } from './landing/page.tsx'
import { languageRoutes, themeRoutes } from './language.tsx'
import { menuOf } from './menu.ts'
import { PUBLIC, page, renderOnce } from './page.ts'
import { personalRoutes } from './personal/routes.tsx'
import { portalHomeRoutes } from './portal/home/routes.tsx'
import { portalPages } from './portal/routes.ts'
import { problemsRoutes } from './problemas/routes.tsx'
import { respondWithPages, sendNotFound } from './refusal.tsx'
import { registrationRoutes } from './registro/routes.ts'
import { allowScript, protectPages } from './security.ts'
import { type PageDeps, seeOther } from './signed-in.ts'
import { suggestionsRoutes } from './sugerencias/routes.tsx'

interface PagesDeps extends OwnDeps, StatusDeps, Pick<PageDeps, 'sessions'> {
  publicUrl: string
  signaturePrefix: string
  brand: BrandSource
  limiter: Limiter
}

/** The public pages, in a scope of their own with the headers and limits of pages. */
export function pagesRoutes(app: FastifyInstance, { limiter, publicUrl, signaturePrefix, ...deps }: PagesDeps): void {
  negotiateLanguage(app)
  protectPages(app, limiter)

  app.decorateRequest('reader')
  // These pages stay readable while the database is not.
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.caching !== PUBLIC.config.caching) return
    request.reader = await deps.sessions.signedIn(request).catch((err) => {
      request.log.warn({ err }, 'public page: the session could not be read')
      return undefined
    })
  })

  const landing = renderOnce(() => landingPage(names))
  /** The logo of every page leads here, and signed-in people on to their own pages. */
  app.get('/', PUBLIC, ({ reader }, reply) =>
    reader ? seeOther(reply.header('cache-control', 'no-store'), homeOf(reader)) : page(allowScript(reply), landing()),
  )

  const names = { publicUrl, signaturePrefix }
  docsRoutes(app, names, deps)
  problemsRoutes(app, names)
  statusRoutes(app, deps)
  assetsRoutes(app)
  brandAssets(app, deps.store, deps.brand)
  drawingRoutes(app)
}

/** The pages with forms and sessions. In a scope of its own: refusals are pages, and nothing is stored by browsers. */
export async function sessionPages(
  app: FastifyInstance,
  deps: PageDeps,
  limiter: Limiter,
  paths: Paths,
): Promise<void> {
  respondWithPages(app, (request) => menuOf(deps, request))
  negotiateLanguage(app)
  parseForms(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  protectPages(app, limiter)
  refuseCrossOrigin(app, deps.config.publicUrl)
  // `/consultas/asignar` only takes forms, but the router takes a GET of it for the page of an inquiry.
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, routeOptions } = request
    const allow = method === 'GET' ? paths.allowBefore(routeOptions.url ?? '', url) : undefined
    if (allow) return sendNotFound(request, reply, methodNotAllowed(allow), pageAbove(url, paths))
  })

  await app.register(accountPages, { prefix: '/cuenta', deps })
  await app.register(portalPages, { prefix: '/portal/:appKey', deps })
  await app.register(consolePages, { prefix: '/consola', deps })
  signInRoutes(app, deps)
  codeRoutes(app, deps)
  oidcRoutes(app, deps)
  passwordRoutes(app, deps)
  registrationRoutes(app, deps)
  suggestionsRoutes(app, deps)
  connectRoutes(app, deps)
  collaborateRoutes(app, deps)
  personalRoutes(app, deps)
  blocksRoutes(app, deps)
  avisoRoutes(app, deps)
  portalHomeRoutes(app, deps)
  goToRoutes(app, deps)
  joinRoutes(app, deps)
  languageRoutes(app, deps)
  themeRoutes(app)
  filterRoutes(app, deps)
}
