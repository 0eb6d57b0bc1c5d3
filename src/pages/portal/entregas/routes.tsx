import { dayOf } from '../../../http/dates.ts'
import { notFound, Problem } from '../../../http/problems.ts'
import { resendMatching } from '../../../resources/appnotificaciones/entregas/resend.ts'
import { gatherLogged, listLogged } from '../../../webhooks/app-log.ts'
import { type AppEvent, findEvent } from '../../../webhooks/event.ts'
import { requestOf } from '../../../webhooks/request.ts'
import { findWebhook, isAvailable, isOn, listWebhooks } from '../../../webhooks/subscriptions.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { deliveryColumns, logVersion } from '../../entregas/columns.tsx'
import { addressed, filterOf, parseFilters } from '../../entregas/filters.ts'
import { pageLinksFrom, pageParam } from '../../entregas/page-links.ts'
import { CONFIRMATION } from '../../form.ts'
import { asksForPart, sendPart, versionOf } from '../../live.ts'
import { page } from '../../page.ts'
import { type Asking, wantsCsv } from '../../params.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import { LogPart, type LogProps, logPage, SECTION } from './list-page.tsx'
import { AttemptsPart, deliveryPage } from './one-page.tsx'

export type ByEvent = { Params: ByApp['Params'] & { id: string } }

/** /portal/{appKey}/entregas, …/{id}, …/{id}/reenviar: what was sent to the app's webhooks. */
export function deliveriesRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const { timeZone, publicUrl } = config

  app.get<ByApp & Asking>(SECTION, async (request, reply) => {
    const { ctx } = request
    const filters = parseFilters(request.query, timeZone)
    const filter = await filterOf(store, ctx.app, filters, timeZone)
    if (wantsCsv(request.query)) {
      const rows = await gatherLogged(MOST_CSV_ROWS, (part) => listLogged(store, ctx.app, filter, part, 'deliveries'))
      return sendCsv(reply, 'entregas', deliveryColumns(ctx.at, ctx), rows)
    }
    const asked = pageParam(request.query)
    const found = await listLogged(store, ctx.app, filter, asked, 'deliveries')
    const configured = found.rows.length > 0 || (await listWebhooks(store, seal, ctx.app)).length > 0
    const ways = pageLinksFrom(ctx.at + SECTION, addressed(filters), asked, found)
    const live = asked.before === undefined && asked.after === undefined
    const props: LogProps = { ctx, filters, found, ...ways, live, paused: request.query.vivo === 'no', configured }
    const version = logVersion(found.rows, ways, dayOf(ctx.now, timeZone))
    if (asksForPart(request))
      return sendPart(reply, <LogPart {...props} version={version} />, request.query.visto, version)
    return page(allowScript(reply), logPage({ ...props, version }))
  })

  /** The event that an address names; 404 where it was not told to this app. */
  async function eventAt(ctx: PortalContext, id: string): Promise<AppEvent> {
    const event = await findEvent(store, ctx.app, id)
    if (!event) throw notFound('No existe esa entrega para la app.')
    return event
  }

  async function mayResend({ app: own }: PortalContext, { topic }: AppEvent): Promise<boolean> {
    const webhook = isAvailable(own, topic) && !own.disabled ? await findWebhook(store, seal, own, topic) : undefined
    return webhook !== undefined && isOn(webhook)
  }

  app.get<ByEvent & Asking>(`${SECTION}/:id`, async (request, reply) => {
    const { ctx } = request
    const event = await eventAt(ctx, request.params.id)
    const { delivery } = event
    const version = versionOf([delivery, delivery && delivery.dueAt <= ctx.now])
    const { visto } = request.query
    const asPart = asksForPart(request)
    if (!asPart || visto !== version) await ctx.audit('entrega.leer', event.id) // unless nothing is shown
    if (asPart) return sendPart(reply, <AttemptsPart {...{ ctx, event, version }} />, visto, version)
    const made = await requestOf(store, seal, ctx.app, event, { now: ctx.now, publicUrl })
    const props = { ctx, event, request: made, mayResend: await mayResend(ctx, event), version }
    return page(allowScript(reply), deliveryPage(props))
  })

  app.post<ByEvent>(`${SECTION}/:id/reenviar`, CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const event = await eventAt(ctx, request.params.id)
    const { id, topic } = event
    if (!(await mayResend(ctx, event))) throw new Problem('conflicto', IS_OFF)
    await resendMatching(deps, ctx.app, topic, { evento: id })
    await ctx.audit('entrega.reenviar', id)
    return done(reply, 'entrega-reenviada', `${ctx.at}${SECTION}/${id}`)
  })
}

const IS_OFF = 'No se puede enviar: el topic no tiene un webhook activo. Configúrelo o reanúdelo en Webhooks.'
