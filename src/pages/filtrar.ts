import type { FastifyInstance } from 'fastify'
import { withQuery } from '../http/links.ts'
import { formRoute } from './form.ts'
import { homeOf } from './home-link.tsx'
import { sealedParams } from './sealed-params.ts'
import { type PageDeps, requireSignedIn, safeReturn, seeOther } from './signed-in.ts'

/** The action of the search forms above lists; `lista` is the path of the list. */
export const FILTRAR = '/filtrar'
const MAX_CHARACTERS = 2000
const NAME = /^\w+$/

/** POST /filtrar: leads to a list with the filters of the form, so that an email address in one is never in a URL. */
export function filterRoutes(app: FastifyInstance, deps: PageDeps): void {
  app.post(FILTRAR, formRoute(MAX_CHARACTERS), async (request, reply) => {
    const account = await requireSignedIn(deps, request, reply, '/cuenta')
    if (!account) return reply
    const { form } = request
    const given = [...form].filter(([name, value]) => name !== 'lista' && NAME.test(name) && value !== '')
    const list = safeReturn(form.get('lista')) ?? homeOf(account)
    return seeOther(reply, withQuery(list, sealedParams(deps.seal, account).sealMails(Object.fromEntries(given))))
  })
}
