import type { FastifyInstance } from 'fastify'
import { refuseCrossOrigin } from '../auth/cross-origin.ts'
import type { Limiter } from '../http/limits.ts'
import { PROBLEMS, type ProblemName } from '../http/problems.ts'
import { accountAppsRoutes } from './account/apps/routes.tsx'
import { branchesRoutes } from './account/branches/routes.tsx'
import { dataRoutes } from './account/data/routes.ts'
import { inquiriesRoutes } from './account/inquiries/routes.ts'
import { listingsRoutes } from './account/listings/routes.tsx'
import { accountRoutes } from './account/overview/routes.ts'
import { ownRoutes } from './account/own/routes.ts'
import { accountPeopleRoutes } from './account/people/routes.tsx'
import { assetsRoutes } from './assets.ts'
import { blocksRoutes } from './blocks/routes.ts'
import { collaborateRoutes } from './collaborate/routes.ts'
import { connectRoutes } from './connect/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { parseForms } from './form.ts'
import { landingPage } from './landing/page.tsx'
import { listingRoutes } from './listing/routes.ts'
import { kept, page } from './page.ts'
import type { People } from './people.ts'
import { personalRoutes } from './personal/routes.ts'
import { portalRoutes } from './portal/routes.ts'
import { problemsPage, unknownProblemPage } from './problemas/contents.tsx'
import { explanations } from './problemas/explanations.ts'
import { problemPage } from './problemas/page.tsx'
import { answerAsPages } from './refusal.tsx'
import { registrationRoutes } from './registration/routes.ts'
import { openPages } from './scope.ts'
import { codeRoutes } from './sign-in/code-routes.ts'
import { passwordRoutes } from './sign-in/password-routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { suggestionsRoutes } from './suggestions/routes.tsx'

export interface PagesNeeds {
  publicUrl: string
  signaturePrefix: string
  /** Requests for pages by address. */
  limiter: Limiter
}

/** The same for everyone and no part of the API: kept by the browser as long as it asks whether it changed. */
const PUBLIC = { schema: { hide: true }, config: { caching: 'private, no-cache' } } as const

/** What partners read. Mount it in a scope of its own: its headers and limits are for pages. */
export function pagesRoutes(app: FastifyInstance, { publicUrl, signaturePrefix, limiter }: PagesNeeds): void {
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
export function peopleRoutes(app: FastifyInstance, people: People, limiter: Limiter): void {
  const { publicUrl, supportUrl, supportMail } = people.config
  answerAsPages(app, { url: supportUrl, mail: supportMail })
  parseForms(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  openPages(app, limiter)
  refuseCrossOrigin(app, publicUrl)

  signInRoutes(app, people)
  codeRoutes(app, people)
  passwordRoutes(app, people)
  registrationRoutes(app, people)
  suggestionsRoutes(app, people)
  connectRoutes(app, people)
  collaborateRoutes(app, people)
  personalRoutes(app, people)
  blocksRoutes(app, people)
  listingRoutes(app, people)
  accountRoutes(app, people)
  accountAppsRoutes(app, people)
  accountPeopleRoutes(app, people)
  inquiriesRoutes(app, people)
  listingsRoutes(app, people)
  dataRoutes(app, people)
  branchesRoutes(app, people)
  ownRoutes(app, people)
  portalRoutes(app, people)
  consoleRoutes(app, people)
}
