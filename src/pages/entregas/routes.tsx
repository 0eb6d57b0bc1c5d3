import type { ComponentChildren, VNode } from 'preact'
import type { App } from '../../apps/app.ts'
import { withQuery } from '../../http/links.ts'
import { Problem } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { resendMatching } from '../../resources/appnotificaciones/entregas/resend.ts'
import { deliveryIdOf } from '../../webhooks/delivery-ids.ts'
import type { AppEvent } from '../../webhooks/event-deliveries.ts'
import { findWebhook, isAvailable, isEnabled } from '../../webhooks/store.ts'
import { type Audience, hrefIn } from '../app-shell.tsx'
import { CONFIRMATION_FORM } from '../form.ts'
import { contentHash, isPartial, livePart, type PageApp, page, sendPart } from '../page.ts'
import type { WithQuery } from '../params.ts'
import { PostButton, Section } from '../parts.tsx'
import { type ById, type NoticeName, type PageDeps, redirectWithNotice, type SignedInContext } from '../signed-in.ts'
import { Attempts, EventContent, EventFacts } from './event.tsx'

/** So often the attempts at a pending delivery are refreshed. */
const LIVE_SECONDS = 2

/** Why a delivery cannot be sent now. */
type Obstacle = 'app-disabled' | 'topic-unavailable' | 'no-webhook' | 'webhook-off'

/** How an audience, console or portal, sees a delivery: `/entregas/{id}` and its resend. */
interface Deliveries<Ctx> {
  audience: Audience<Ctx>
  section: string
  /** The event of a delivery with the app that it belongs to; throws 404. */
  eventOf(ctx: Ctx, deliveryId: string): Promise<{ app: App; event: AppEvent }>
  eventLinks(ctx: Ctx, app: App, event: AppEvent): ComponentChildren
  obstacleText(ctx: Ctx, obstacle: Obstacle, event: AppEvent): ComponentChildren
  /** Between the attempts and the content of an event. */
  eventSection?(ctx: Ctx, event: AppEvent): Promise<VNode | undefined>
  resentNotice: NoticeName
  /** What the audit log keeps of a resend. */
  resendDetail?(app: App): Record<string, unknown>
}

export function serveDelivery<Ctx extends SignedInContext>(
  app: PageApp<Ctx>,
  deps: PageDeps,
  log: Deliveries<Ctx>,
): void {
  const { audience, section } = log
  const { Page } = audience

  async function obstacleTo(owner: App, { topic, destino }: AppEvent): Promise<Obstacle | undefined> {
    if (owner.disabled) return 'app-disabled'
    if (!isAvailable(owner, topic)) return 'topic-unavailable'
    const webhook = await findWebhook(deps.store, deps.seal, { app: owner, topic, destino })
    if (!webhook) return 'no-webhook'
    return isEnabled(webhook) ? undefined : 'webhook-off'
  }

  app.get<ById & WithQuery>('/entregas/:id', async (request, reply) => {
    const { ctx } = request
    const { visto } = request.query
    const { app: owner, event } = await log.eventOf(ctx, request.params.id)
    const { id, topic, payload, delivery, destino } = event
    const list = hrefIn(audience, ctx, section)
    const href = `${list}/${deliveryIdOf(id, destino)}`
    const version = contentHash([delivery, delivery?.dueAt && delivery.dueAt <= ctx.now])
    const isPart = isPartial(request)
    const isShown = !isPart || visto !== version
    if (isShown) await ctx.audit('entrega.leer', id)
    const isPending = delivery?.estado === 'pendiente'
    const attempts = (
      <div id="intentos" {...(isPending && livePart(withQuery(href, { visto: version }), LIVE_SECONDS))}>
        {delivery ? (
          <Attempts event={event} delivery={delivery} when={ctx} />
        ) : (
          <p class="empty">{t('entregas.never')}</p>
        )}
      </div>
    )
    if (isPart) return sendPart(reply, attempts, visto, version)
    const obstacle = await obstacleTo(owner, event)
    return page(
      reply,
      <Page
        ctx={ctx}
        title={topic}
        script
        parentLink={{ href: list, label: t('entregas.title') }}
        intro={
          <EventFacts event={event} when={ctx}>
            {log.eventLinks(ctx, owner, event)}
          </EventFacts>
        }
        actions={
          obstacle === undefined && (
            <PostButton action={`${href}/reenviar`}>{delivery ? t('entregas.resend') : t('entregas.send')}</PostButton>
          )
        }
      >
        {obstacle && <p class="empty">{log.obstacleText(ctx, obstacle, event)}</p>}
        <Section title={t('entregas.attempts')}>{attempts}</Section>
        {await log.eventSection?.(ctx, event)}
        <EventContent payload={payload} />
      </Page>,
    )
  })

  app.post<ById>('/entregas/:id/reenviar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const { app: owner, event } = await log.eventOf(ctx, params.id)
    const { id, topic, destino } = event
    const obstacle = await obstacleTo(owner, event)
    if (obstacle) throw new Problem('conflicto', t(`entregas.obstacle.${obstacle}`))
    await resendMatching(deps, owner, topic, { evento: id, destino })
    await ctx.audit('entrega.reenviar', id, log.resendDetail?.(owner))
    return redirectWithNotice(reply, log.resentNotice, `${hrefIn(audience, ctx, section)}/${deliveryIdOf(id, destino)}`)
  })
}
