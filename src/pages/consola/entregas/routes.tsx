import type { App } from '../../../apps/app.ts'
import { findApp, findAppById, listApps } from '../../../apps/store.ts'
import { dayOf } from '../../../http/dates.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { resendMatching } from '../../../resources/appnotificaciones/entregas/resend.ts'
import { type AppFilter, type AppPage, gatherLogged, listLogged } from '../../../webhooks/app-log.ts'
import { type AppEvent, findEvent } from '../../../webhooks/event.ts'
import { type AnywherePage, appIdOfEvent, listLoggedAnywhere } from '../../../webhooks/staff.ts'
import { findWebhook, isAvailable, isOn } from '../../../webhooks/subscriptions.ts'
import { isTopic } from '../../../webhooks/topics.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { logVersion } from '../../entregas/columns.tsx'
import { addressed, parseFilters } from '../../entregas/filters.ts'
import { pageLinksFrom, pageParam } from '../../entregas/page-links.ts'
import { CONFIRMATION } from '../../form.ts'
import { asksForPart, sendPart, versionOf } from '../../live.ts'
import { page } from '../../page.ts'
import { type Asking, textParam, wantsCsv } from '../../params.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { meantBy } from './filter.ts'
import { entregaColumns, entregasPage, LogPart, type LogProps } from './list-page.tsx'
import { AttemptsPart, entregaPage } from './one-page.tsx'
import { ENTREGAS, entregaHref } from './parts.ts'

type ById = { Params: { id: string } }

/** /consola/entregas: what all apps were sent. */
export function entregasRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps

  async function find(asked: App | 'all' | undefined, filter: AppFilter, turn: AppPage): Promise<AnywherePage> {
    if (asked === undefined) return { rows: [], more: false }
    if (asked === 'all') return listLoggedAnywhere(store, filter, turn)
    const { rows, ...rest } = await listLogged(store, asked, filter, turn, 'deliveries')
    const { appKey, nombre } = asked
    return { ...rest, rows: rows.map((row) => ({ ...row, app: { appKey, nombre } })) }
  }

  app.get<Asking>('/entregas', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const [filters, appKey] = [parseFilters(query, config.timeZone), textParam(query, 'app')]
    const asked = appKey === undefined ? 'all' : await findApp(store, appKey)
    const filter = await meantBy(store, filters, config.timeZone)
    if (wantsCsv(query)) {
      const rows = await gatherLogged(MOST_CSV_ROWS, (part) => find(asked, filter, part))
      return sendCsv(reply, 'entregas', entregaColumns(ctx), rows)
    }
    const turn = pageParam(query)
    const found = await find(asked, filter, turn)
    const ways = pageLinksFrom(ENTREGAS, { app: appKey, ...addressed(filters) }, turn, found)
    const live = turn.before === undefined && turn.after === undefined
    const props: LogProps = { ctx, filters, app: appKey, found, ...ways, live, paused: query.vivo === 'no' }
    const version = logVersion(found.rows, ways, dayOf(ctx.now, config.timeZone))
    if (asksForPart(request)) return sendPart(reply, <LogPart {...props} version={version} />, query.visto, version)
    return page(allowScript(reply), entregasPage({ ...props, version, apps: await listApps(store) }))
  })

  /** The event that an address names, and the app that it was told. */
  async function eventAt(id: string): Promise<{ told: App; event: AppEvent }> {
    const appId = await appIdOfEvent(store, id)
    const told = appId === undefined ? undefined : await findAppById(store, appId)
    const event = told && (await findEvent(store, told, id))
    if (!event) throw notFound('No hay una entrega así.')
    return { told, event }
  }

  /** What stands in the way of sending it now. */
  async function obstacleTo(told: App, topic: string): Promise<string | undefined> {
    if (told.disabled) return 'la app está deshabilitada.'
    if (!isAvailable(told, topic)) return 'la app no puede usar este topic.'
    const webhook = await findWebhook(store, seal, told, topic)
    if (!webhook) return 'el topic no tiene webhook.'
    return isOn(webhook) ? undefined : 'el webhook de este topic no está activo.'
  }

  app.get<ById & Asking>('/entregas/:id', async (request, reply) => {
    const { ctx } = request
    const { told, event } = await eventAt(request.params.id)
    const { delivery } = event
    const version = versionOf([delivery, delivery && delivery.dueAt <= ctx.now])
    const { visto } = request.query
    const asPart = asksForPart(request)
    if (!asPart || visto !== version) await ctx.audit('entrega.leer', event.id) // unless nothing is shown
    if (asPart) return sendPart(reply, <AttemptsPart {...{ ctx, event, version }} />, visto, version)
    const obstacle = await obstacleTo(told, event.topic)
    return page(allowScript(reply), entregaPage({ ctx, app: told, event, obstacle, version }))
  })

  app.post<ById>('/entregas/:id/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { told, event } = await eventAt(request.params.id)
    const { id, topic } = event
    const obstacle = await obstacleTo(told, topic)
    if (obstacle || !isTopic(topic)) throw conflict({}, `No se puede enviar ahora: ${obstacle}`)
    await resendMatching(deps, told, topic, { evento: id })
    await ctx.audit('entrega.reenviar', id, { app: told.appKey })
    return done(reply, 'entrega-otra-vez', entregaHref(event))
  })
}
