import { notFound } from '../../../http/problems.ts'
import { gatherLogged, listLogged } from '../../../webhooks/app-log.ts'
import { findEvent } from '../../../webhooks/event.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { addressed, filterOf, parseFilters } from '../../entregas/filters.ts'
import { pageLinksFrom, pageParam } from '../../entregas/page-links.ts'
import { page } from '../../page.ts'
import { type Asking, wantsCsv } from '../../params.ts'
import { allowScript } from '../../security.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalPages } from '../context.tsx'
import { eventColumns, eventsPage, SECTION } from './list-page.tsx'
import { eventPage } from './one-page.tsx'

/** /portal/{appKey}/eventos, …/{id}: what was announced to the app. */
export function eventsRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps
  const { timeZone } = config

  app.get<ByApp & Asking>(SECTION, async (request, reply) => {
    const { ctx } = request
    const filters = { ...parseFilters(request.query, timeZone), estado: undefined }
    const filter = await filterOf(store, ctx.app, filters, timeZone)
    if (wantsCsv(request.query)) {
      const rows = await gatherLogged(MOST_CSV_ROWS, (part) => listLogged(store, ctx.app, filter, part, 'events'))
      return sendCsv(reply, 'eventos', eventColumns(ctx.at, ctx), rows)
    }
    const asked = pageParam(request.query)
    const found = await listLogged(store, ctx.app, filter, asked, 'events')
    const ways = pageLinksFrom(ctx.at + SECTION, addressed(filters), asked, found)
    return page(reply, eventsPage({ ctx, filters, found, ...ways }))
  })

  app.get<{ Params: ByApp['Params'] & { id: string } }>(`${SECTION}/:id`, async (request, reply) => {
    const { ctx } = request
    const event = await findEvent(store, ctx.app, request.params.id)
    if (!event) throw notFound('No existe ese evento para la app.')
    await ctx.audit('evento.leer', event.id)
    return page(allowScript(reply), eventPage({ ctx, event }))
  })
}
