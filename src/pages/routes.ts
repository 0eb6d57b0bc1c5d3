import type { FastifyInstance } from 'fastify'
import { refuseCrossOrigin } from '../auth/cross-origin.ts'
import type { Limiter } from '../http/limits.ts'
import { PROBLEMS, type ProblemName } from '../http/problems.ts'
import { assetsRoutes } from './assets.ts'
import { listingRoutes } from './aviso/routes.ts'
import { blocksRoutes } from './blocks/routes.ts'
import { collaborateRoutes } from './colaborar/routes.ts'
import { connectRoutes } from './conectar/routes.ts'
import { consoleRoutes } from './consola/routes.ts'
import { accountAppsRoutes } from './cuenta/apps/routes.tsx'
import { accountPeopleRoutes } from './cuenta/colaboradores/routes.tsx'
import { inquiriesRoutes } from './cuenta/consultas/routes.ts'
import { dataRoutes } from './cuenta/datos/routes.ts'
import { accountRoutes } from './cuenta/overview/routes.ts'
import { ownRoutes } from './cuenta/own/routes.ts'
import { listingsRoutes } from './cuenta/publicaciones/routes.tsx'
import { branchesRoutes } from './cuenta/sucursales/routes.tsx'
import { docsRoutes } from './docs/routes.ts'
import { codeRoutes } from './entrar/code-routes.ts'
import { passwordRoutes } from './entrar/password-routes.ts'
import { signInRoutes } from './entrar/routes.ts'
import { parseForms } from './form.ts'
import { landingPage } from './landing/page.tsx'
import { kept, page } from './page.ts'
import { personalRoutes } from './personal/routes.ts'
import { portalRoutes } from './portal/routes.ts'
import { problemsPage, unknownProblemPage } from './problemas/contents.tsx'
import { explanations } from './problemas/explanations.ts'
import { problemPage } from './problemas/page.tsx'
import { answerAsPages } from './refusal.tsx'
import { registrationRoutes } from './registro/routes.ts'
import { openPages } from './scope.ts'
import type { PageDeps } from './signed-in.ts'
import { suggestionsRoutes } from './suggestions/routes.tsx'

export interface PagesDeps {
  publicUrl: string
  signaturePrefix: string
  /** Requests for pages by address. */
  limiter: Limiter
}

/** The same for everyone and no part of the API: kept by the browser as long as it asks whether it changed. */
const PUBLIC = { schema: { hide: true }, config: { caching: 'private, no-cache' } } as const

/** What partners read. Mount it in a scope of its own: its headers and limits are for pages. */
export function pagesRoutes(app: FastifyInstance, { publicUrl, signaturePrefix, limiter }: PagesDeps): void {
  openPages(app, limiter)

  const landing = kept(landingPage)
  app.get('/', PUBLIC, (_request, reply) => page(reply, landing()))

  docsRoutes(app, { publicUrl, signaturePrefix })

  const problems = kept(problemsPage)
  app.get('/problemas', PUBLIC, (_request, reply) => page(reply, problems()))
  const explained = explanations(signaturePrefix)
  app.get<{ Params: { nombre: string } }>('/problemas/:nombre', PUBLIC, ({ params: { nombre } }, reply) => {
    if (!isProblemName(nombre)) return page(reply, unknownProblemPage(nombre), 404)
    return page(reply, problemPage({ name: nombre, explanation: explained[nombre], publicUrl, signaturePrefix }))
  })

  assetsRoutes(app)
}

const isProblemName = (name: string): name is ProblemName => Object.hasOwn(PROBLEMS, name)

/** What people of an agency see and fill in. In a scope of its own: forms, sessions, refusals as pages, nothing kept. */
export function signedInRoutes(app: FastifyInstance, deps: PageDeps, limiter: Limiter): void {
  const { publicUrl, supportUrl, supportMail } = deps.config
  answerAsPages(app, { url: supportUrl, mail: supportMail })
  parseForms(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  openPages(app, limiter)
  refuseCrossOrigin(app, publicUrl)

  signInRoutes(app, deps)
  codeRoutes(app, deps)
  passwordRoutes(app, deps)
  registrationRoutes(app, deps)
  suggestionsRoutes(app, deps)
  connectRoutes(app, deps)
  collaborateRoutes(app, deps)
  personalRoutes(app, deps)
  blocksRoutes(app, deps)
  listingRoutes(app, deps)
  accountRoutes(app, deps)
  accountAppsRoutes(app, deps)
  accountPeopleRoutes(app, deps)
  inquiriesRoutes(app, deps)
  listingsRoutes(app, deps)
  dataRoutes(app, deps)
  branchesRoutes(app, deps)
  ownRoutes(app, deps)
  portalRoutes(app, deps)
  consoleRoutes(app, deps)
}
