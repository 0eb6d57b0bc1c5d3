import type { FastifyInstance } from 'fastify'
import { addressKey } from '../http/address.ts'
import type { Limiter } from '../http/limits.ts'
import { completeMethods } from '../http/methods.ts'
import { documentOf } from '../http/openapi.ts'
import { methodNotAllowed, PROBLEMS, type ProblemName, tooManyRequests } from '../http/problems.ts'
import { tellRate } from '../http/rate-headers.ts'
import { assetsRoutes } from './assets.ts'
import { docsPage } from './docs/page.tsx'
import { landingPage } from './landing/page.tsx'
import { kept, page } from './page.ts'
import { problemsPage, unknownProblemPage } from './problemas/contents.tsx'
import { explanations } from './problemas/explanations.tsx'
import { problemPage } from './problemas/page.tsx'
import { securePages } from './security.ts'

export interface PagesNeeds {
  publicUrl: string
  signaturePrefix: string
  /** Requests for pages by address. */
  limiter: Limiter
}

/** The same for everyone and no part of the API: kept by the browser as long as it asks whether it changed. */
const PUBLIC = { schema: { hide: true }, config: { caching: 'private, no-cache' } } as const

/** The table of contents of what people see. Mount it in a scope of its own: its headers and limits are for pages. */
export function pagesRoutes(app: FastifyInstance, { publicUrl, signaturePrefix, limiter }: PagesNeeds): void {
  const complete = completeMethods(app)
  securePages(app)
  app.addHook('onRequest', (request, reply, done) => {
    const taken = limiter.take(addressKey(request.ip))
    tellRate(reply, 'direccion', limiter.rate, taken)
    if (!taken.allowed)
      throw tooManyRequests(taken.retryAfterSeconds, 'Demasiadas páginas pedidas desde esta dirección.')
    const { notAllowed } = request.routeOptions.config
    if (notAllowed) throw methodNotAllowed(notAllowed)
    done()
  })

  const landing = kept(landingPage)
  app.get('/', PUBLIC, (_request, reply) => page(reply, landing()))

  const docs = kept(() => docsPage(documentOf(app), { publicUrl, signaturePrefix }))
  app.get('/docs', PUBLIC, (_request, reply) => page(reply, docs()))

  const problems = kept(problemsPage)
  app.get('/problemas', PUBLIC, (_request, reply) => page(reply, problems()))
  const explained = explanations(signaturePrefix)
  app.get<{ Params: { nombre: string } }>('/problemas/:nombre', PUBLIC, ({ params: { nombre } }, reply) => {
    if (!isProblemName(nombre)) return page(reply, unknownProblemPage(nombre), 404)
    return page(reply, problemPage({ name: nombre, explanation: explained[nombre], publicUrl, signaturePrefix }))
  })

  assetsRoutes(app)
  complete()
}

const isProblemName = (name: string): name is ProblemName => Object.hasOwn(PROBLEMS, name)
