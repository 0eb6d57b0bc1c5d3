import type { FastifyInstance } from 'fastify'
import { withQuery } from '../../../http/links.ts'
import type { Asking } from '../../asked.ts'
import { formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import type { ByApp } from '../access.ts'
import { visitOf } from '../visit.tsx'
import { SECTION } from './list-page.tsx'
import { addressed, filterOf, type Looked, lookedFor, UNSENT } from './looked.ts'
import { asLocal } from './period.ts'
import { preview, resendChosen } from './resend.ts'
import { resendPage } from './resend-page.tsx'

const PATH = `/portal/:appKey${SECTION}/reenviar`
const DAY_MS = 86_400_000

/** /portal/{appKey}/entregas/reenviar: many again, with a look at them first. */
export function resendRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people
  const { timeZone } = config

  app.get<ByApp & Asking>(PATH, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const asked = lookedFor(request.query, timeZone)
    const searched = request.query.previa === 'si'
    const looked: Looked = searched
      ? { ...asked, hasta: asked.hasta ?? asLocal(visit.now, timeZone) } // what comes after the look is not chosen
      : { estado: UNSENT, desde: asLocal(new Date(visit.now.getTime() - DAY_MS), timeZone), ...given(asked) }
    const filter = await filterOf(store, visit.app, looked, timeZone)
    const chosen = searched ? await preview(people, visit.app, filter) : undefined
    return page(reply, resendPage({ visit, looked, chosen }))
  })

  app.post<ByApp>(PATH, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const looked = lookedFor(Object.fromEntries(formOf(request)), timeZone)
    const count = await resendChosen(people, visit.app, await filterOf(store, visit.app, looked, timeZone))
    await visit.note('entregas.reenviar', visit.app.appKey, { ...given(looked), cantidad: count })
    const { estado: _, ...rest } = addressed(looked)
    return done(reply, count > 0 ? 'entregas-reenviadas' : 'nada-reenviado', withQuery(visit.at + SECTION, rest))
  })
}

/** Without what was not asked for. */
const given = (looked: Looked): Looked =>
  Object.fromEntries(Object.entries(addressed(looked)).filter(([, value]) => value !== undefined))
