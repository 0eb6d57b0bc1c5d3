import { withQuery } from '../../../http/links.ts'
import { Problem } from '../../../http/problems.ts'
import { addressed, type Filters, filterOf, isUnderstood, parseFilters, UNSENT } from '../../entregas/filters.ts'
import { asLocal } from '../../entregas/period.ts'
import { formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import type { Asking } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalPages } from '../context.tsx'
import { SECTION } from './list-page.tsx'
import { preview, resendChosen } from './resend.ts'
import { resendPage } from './resend-page.tsx'

const PATH = `${SECTION}/reenviar`
const DAY_MS = 86_400_000

/** /portal/{appKey}/entregas/reenviar: many again, with a look at them first. */
export function resendRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps
  const { timeZone } = config

  app.get<ByApp & Asking>(PATH, async (request, reply) => {
    const { ctx } = request
    const asked = parseFilters(request.query, timeZone)
    const searched = request.query.previa === 'si' && isUnderstood(request.query, asked)
    const filters: Filters = searched
      ? { ...asked, hasta: asked.hasta ?? asLocal(ctx.now, timeZone) } // what comes after the look is not chosen
      : { estado: UNSENT, desde: asLocal(new Date(ctx.now.getTime() - DAY_MS), timeZone), ...given(asked) }
    const filter = await filterOf(store, ctx.app, filters, timeZone)
    const chosen = searched ? await preview(deps, ctx.app, filter) : undefined
    return page(reply, resendPage({ ctx, filters, chosen }))
  })

  app.post<ByApp>(PATH, formRoute(500), async (request, reply) => {
    const { ctx } = request
    const filters = chosenIn(formOf(request), timeZone)
    const count = await resendChosen(deps, ctx.app, await filterOf(store, ctx.app, filters, timeZone))
    await ctx.audit('entregas.reenviar', ctx.app.appKey, { ...given(filters), cantidad: count })
    const { estado: _, ...rest } = addressed(filters)
    return done(reply, count > 0 ? 'entregas-reenviadas' : 'nada-reenviado', withQuery(ctx.at + SECTION, rest))
  })
}

/** The filters of the form; 400 unless each is one, once, with a value that means something, and there is at least one. */
function chosenIn(form: URLSearchParams, timeZone: string): Filters {
  const filters = parseFilters(Object.fromEntries(form), timeZone)
  const names = Object.keys(given(filters))
  const isClear = names.length > 0 && form.size === names.length && names.every((name) => form.has(name))
  if (!isClear) throw new Problem('solicitud-invalida', UNCLEAR)
  return filters
}

const UNCLEAR = 'No quedó claro qué reenviar, y no se envió nada. Vuelva a buscar y revise la lista antes de enviar.'

/** Without what was not asked for. */
const given = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(addressed(filters)).filter(([, value]) => value !== undefined))
