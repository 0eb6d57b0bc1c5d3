import type { ComponentChildren, VNode } from 'preact'
import type { App } from '../../apps/app.ts'
import { dayOf } from '../../http/dates.ts'
import { Problem } from '../../http/problems.ts'
import { resendMatching } from '../../resources/appnotificaciones/entregas/resend.ts'
import type { Cursor } from '../../store/keyset.ts'
import { type AppEvent, collectLog, type LogFilter, type LoggedEvent } from '../../webhooks/delivery-log.ts'
import { findWebhook, isAvailable, isOn } from '../../webhooks/subscriptions.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import type { NavItem } from '../app-shell.tsx'
import { MOST_CSV_ROWS, sendCsv } from '../csv.ts'
import { CONFIRMATION } from '../form.ts'
import { Timestamp, type When } from '../format.tsx'
import { asksForPart, type PageApp, page, sendPart, versionOf } from '../page.ts'
import { type Query, type WithQuery, wantsCsv } from '../params.ts'
import { Copyable, PostButton } from '../parts.tsx'
import { allowScript } from '../security.ts'
import { type NoticeName, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import type { Column } from '../table.tsx'
import { EventAttempts, EventContent } from './event.tsx'
import { type Filters, parseFilters } from './filters.tsx'
import { DeliveryList, type Found, LogSearch, logLinks, pageParam } from './list.tsx'

interface LogContext extends When {
  audit(act: string, subject: string, detail?: Record<string, unknown>): Promise<void>
}

/** Why an event cannot be sent now. */
export type Obstacle = 'app-disabled' | 'topic-unavailable' | 'no-webhook' | 'webhook-off'

/** The delivery log of one audience: console or portal. Its routes are `/entregas`, `/entregas/{id}` and a resend. */
export interface DeliveryLog<Ctx extends LogContext, Row extends LoggedEvent> {
  Page(props: {
    ctx: Ctx
    title: string
    script: true
    above?: NavItem
    lead: ComponentChildren
    acts: ComponentChildren
    children: ComponentChildren
  }): VNode
  /** The address of the list. */
  hrefOf(ctx: Ctx): string
  lead: string
  /** Beside the title of the list. */
  listActs?(ctx: Ctx, filters: Filters): VNode
  /** A filter of the audience's own. */
  ownFilter?: { param(query: Query): Record<string, string | undefined>; field(query: Query): Promise<VNode> }
  filterOf(ctx: Ctx, filters: Filters): Promise<LogFilter>
  find(ctx: Ctx, query: Query): Promise<(filter: LogFilter, page: Cursor) => Promise<Found<Row>>>
  /** The columns of the CSV, and those of the page. */
  columns(ctx: Ctx): Column<Row>[]
  shownColumns(ctx: Ctx): Column<Row>[]
  /** Why the list is empty. */
  empty(ctx: Ctx, isFiltered: boolean): ComponentChildren | Promise<ComponentChildren>
  /** An event with the app that it belongs to; throws 404. */
  eventOf(ctx: Ctx, id: string): Promise<{ app: App; event: AppEvent }>
  /** Links in the heading of an event. */
  eventLinks(ctx: Ctx, app: App, event: AppEvent): ComponentChildren
  /** Says why an event cannot be sent. */
  obstacleText(ctx: Ctx, obstacle: Obstacle, topic: string): ComponentChildren
  /** Between the attempts and the content of an event. */
  eventSection?(ctx: Ctx, event: AppEvent): Promise<VNode | undefined>
  resentNotice: NoticeName
  /** What the audit log keeps of a resend. */
  resendDetail?(app: App): Record<string, unknown>
}

/** The reasons in Spanish, after «No se puede enviar ahora:». */
export const OBSTACLES: Record<Obstacle, string> = {
  'app-disabled': 'la app está deshabilitada.',
  'topic-unavailable': 'la app no puede usar este topic.',
  'no-webhook': 'el topic no tiene webhook.',
  'webhook-off': 'el webhook de este topic no está activo.',
}

type ById = { Params: { id: string } }

/** Serves the delivery log of an audience. */
export function serveDeliveryLog<Ctx extends LogContext, Row extends LoggedEvent>(
  app: PageApp<Ctx>,
  deps: PageDeps,
  log: DeliveryLog<Ctx, Row>,
): void {
  const { timeZone } = deps.config
  const { Page } = log

  app.get<WithQuery>('/entregas', async (request, reply) => {
    const { ctx, query } = request
    const filters = parseFilters(query, timeZone)
    const filter = await log.filterOf(ctx, filters)
    const find = await log.find(ctx, query)
    if (wantsCsv(query)) {
      const rows = await collectLog(MOST_CSV_ROWS, (part) => find(filter, part))
      return sendCsv(reply, 'entregas', log.columns(ctx), rows)
    }
    const href = log.hrefOf(ctx)
    const params = { ...log.ownFilter?.param(query), ...filters }
    const cursor = pageParam(query)
    const found = await find(filter, cursor)
    const links = logLinks(href, params, cursor, found)
    const isFiltered = Object.values(params).some((value) => value !== undefined)
    const version = versionOf([found.rows.map(changing), links, dayOf(ctx.now, timeZone)])
    const isFirst = cursor.before === undefined && cursor.after === undefined
    const list = (
      <DeliveryList
        {...{ href, params, found, links, version }}
        when={ctx}
        columns={log.shownColumns(ctx)}
        live={isFirst ? (query.vivo === 'no' ? 'paused' : 'on') : 'off'}
        empty={found.rows.length === 0 && (await log.empty(ctx, isFiltered))}
      />
    )
    if (asksForPart(request)) return sendPart(reply, list, query.visto, version)
    return page(
      allowScript(reply),
      <Page ctx={ctx} title="Entregas" script lead={<p>{log.lead}</p>} acts={log.listActs?.(ctx, filters)}>
        <LogSearch action={href} filters={filters} of="deliveries">
          {await log.ownFilter?.field(query)}
        </LogSearch>
        {list}
      </Page>,
    )
  })

  async function obstacleTo(owner: App, topic: string): Promise<Obstacle | undefined> {
    if (owner.disabled) return 'app-disabled'
    if (!isAvailable(owner, topic)) return 'topic-unavailable'
    const webhook = await findWebhook(deps.store, deps.seal, owner, topic)
    if (!webhook) return 'no-webhook'
    return isOn(webhook) ? undefined : 'webhook-off'
  }

  app.get<ById & WithQuery>('/entregas/:id', async (request, reply) => {
    const { ctx } = request
    const { visto } = request.query
    const { app: owner, event } = await log.eventOf(ctx, request.params.id)
    const { id, topic, agencia, payload, delivery } = event
    const list = log.hrefOf(ctx)
    const href = `${list}/${id}`
    const version = versionOf([delivery, delivery && delivery.dueAt <= ctx.now])
    const isPart = asksForPart(request)
    const isShown = !isPart || visto !== version
    if (isShown) await ctx.audit('entrega.leer', id)
    const attempts = <EventAttempts {...{ href, event, version }} when={ctx} />
    if (isPart) return sendPart(reply, attempts, visto, version)
    const obstacle = await obstacleTo(owner, topic)
    return page(
      allowScript(reply),
      <Page
        ctx={ctx}
        title={topic}
        script
        above={{ href: list, label: 'Entregas' }}
        lead={
          <p class="facts">
            <Timestamp at={momentOf(id)} when={ctx} />
            {agencia && <span>{agencia.title}</span>}
            <Copyable id="id-evento" what="el Id">
              {id}
            </Copyable>
            {log.eventLinks(ctx, owner, event)}
          </p>
        }
        acts={
          obstacle === undefined && (
            <PostButton action={`${href}/reenviar`}>{delivery ? 'Reenviar' : 'Enviar'}</PostButton>
          )
        }
      >
        {obstacle && <p class="empty">{log.obstacleText(ctx, obstacle, topic)}</p>}
        <section>
          <h2>Intentos</h2>
          {attempts}
        </section>
        {await log.eventSection?.(ctx, event)}
        <EventContent payload={payload} />
      </Page>,
    )
  })

  app.post<ById>('/entregas/:id/reenviar', CONFIRMATION, async ({ ctx, params }, reply) => {
    const { app: owner, event } = await log.eventOf(ctx, params.id)
    const { id, topic } = event
    const obstacle = await obstacleTo(owner, topic)
    if (obstacle) throw new Problem('conflicto', `No se puede enviar ahora: ${OBSTACLES[obstacle]}`)
    await resendMatching(deps, owner, topic, { evento: id })
    await ctx.audit('entrega.reenviar', id, log.resendDetail?.(owner))
    return redirectWithNotice(reply, log.resentNotice, `${log.hrefOf(ctx)}/${id}`)
  })
}

/** What can change in a row of the log; the rest of an event never does. */
const changing = ({ id, estado, attempts }: LoggedEvent): string => `${id} ${estado} ${attempts}`
