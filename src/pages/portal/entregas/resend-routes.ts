import type { FastifyInstance } from 'fastify'
import { withQuery } from '../../../http/links.ts'
import { Problem } from '../../../http/problems.ts'
import type { Asking } from '../../asked.ts'
import { formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import type { ByApp } from '../access.ts'
import { visitOf } from '../visit.tsx'
import { SECTION } from './list-page.tsx'
import { addressed, filterOf, isUnderstood, type Looked, lookedFor, UNSENT } from './looked.ts'
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
    const searched = request.query.previa === 'si' && isUnderstood(request.query, asked)
    const looked: Looked = searched
      ? { ...asked, hasta: asked.hasta ?? asLocal(visit.now, timeZone) } // what comes after the look is not chosen
      : { estado: UNSENT, desde: asLocal(new Date(visit.now.getTime() - DAY_MS), timeZone), ...given(asked) }
    const filter = await filterOf(store, visit.app, looked, timeZone)
    const chosen = searched ? await preview(people, visit.app, filter) : undefined
    return page(reply, resendPage({ visit, looked, chosen }))
  })

  app.post<ByApp>(PATH, formRoute(500), async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const looked = chosenIn(formOf(request), timeZone)
    const count = await resendChosen(people, visit.app, await filterOf(store, visit.app, looked, timeZone))
    await visit.note('entregas.reenviar', visit.app.appKey, { ...given(looked), cantidad: count })
    const { estado: _, ...rest } = addressed(looked)
    return done(reply, count > 0 ? 'entregas-reenviadas' : 'nada-reenviado', withQuery(visit.at + SECTION, rest))
  })
}

/** The filters of the form; 400 unless each is one, once, with a value that means something, and there is at least one. */
function chosenIn(form: URLSearchParams, timeZone: string): Looked {
  const looked = lookedFor(Object.fromEntries(form), timeZone)
  const names = Object.keys(given(looked))
  const isClear = names.length > 0 && form.size === names.length && names.every((name) => form.has(name))
  if (!isClear) throw new Problem('solicitud-invalida', UNCLEAR)
  return looked
}

const UNCLEAR = 'No quedó claro qué reenviar, y no se envió nada. Vuelva a buscar y revise la lista antes de enviar.'

/** Without what was not asked for. */
const given = (looked: Looked): Looked =>
  Object.fromEntries(Object.entries(addressed(looked)).filter(([, value]) => value !== undefined))
