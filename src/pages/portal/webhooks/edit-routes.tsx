import { notFound } from '../../../http/problems.ts'
import { edit, visibleWebhook } from '../../../resources/appnotificaciones/edit.ts'
import { webhookEtag } from '../../../resources/appnotificaciones/represent.ts'
import { newSecret } from '../../../resources/appnotificaciones/settings.ts'
import { checkedUpsert } from '../../../resources/appnotificaciones/written.ts'
import { findWebhook, removeWebhook, type Webhook } from '../../../webhooks/subscriptions.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import type { PageRequest } from '../../page-app.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import type { PortalContext, PortalPages } from '../context.tsx'
import { editPage, secretPage } from './edit-page.tsx'
import { refusalOf } from './faults.ts'
import { bodyOf, bodyOfWebhook, EMPTY_FORM, formFrom, formOfWebhook, secretOf, WEBHOOK_FORM } from './form.ts'
import { SECTION } from './list-page.tsx'
import { madePage } from './made-page.tsx'
import { type ByTopic, NO_SUCH_TOPIC } from './routes.ts'

const PATH = `${SECTION}/:topic`

/** …/{topic}/editar, …/secret, …/suspender, …/reanudar, …/eliminar: what the API does with PUT and DELETE. */
export function editWebhookRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  /** Who asks, and the webhook; 404 where there is none, or the topic was withdrawn. */
  async function at({ ctx, params }: PageRequest<PortalContext, ByTopic>) {
    const webhook = await visibleWebhook(deps, ctx.app, params.topic)
    return { ctx, webhook, topic: webhook.topic, here: `${ctx.at}${SECTION}/${webhook.topic}` }
  }

  app.get<ByTopic>(`${PATH}/editar`, async (request, reply) => {
    const { ctx, webhook, topic } = await at(request)
    return page(reply, editPage({ ctx, topic, form: formOfWebhook(webhook), version: webhookEtag(webhook) }))
  })

  app.post<ByTopic>(`${PATH}/editar`, WEBHOOK_FORM, async (request, reply) => {
    const { ctx, webhook, topic, here } = await at(request)
    const form = formFrom(formOf(request))
    try {
      const body = checkedUpsert(bodyOf(form, webhook.activo))
      await edit(deps, ctx.app, topic, body, line(formOf(request), 'version'))
    } catch (error) {
      const { errors, status } = refusalOf(error)
      const shown = status === 412 ? formOfWebhook(webhook) : form
      return page(reply, editPage({ ctx, topic, form: shown, version: webhookEtag(webhook), errors }), status)
    }
    await ctx.audit('webhook.editar', ctx.app.appKey, { topic })
    return done(reply, 'webhook-guardado', here)
  })

  app.get<ByTopic>(`${PATH}/secret`, async (request, reply) => {
    const { ctx, webhook, topic } = await at(request)
    const signed = webhook.secretHint !== null
    return page(reply, secretPage({ ctx, topic, form: EMPTY_FORM, version: webhookEtag(webhook), signed }))
  })

  app.post<ByTopic>(`${PATH}/secret`, WEBHOOK_FORM, async (request, reply) => {
    const { ctx, webhook, topic, here } = await at(request)
    const form = formFrom(formOf(request))
    const signed = webhook.secretHint !== null
    const made = form.firma === 'nueva' ? newSecret() : undefined
    try {
      const secret = made ? { Secret: made } : secretOf(form)
      const body = checkedUpsert({ ...bodyOfWebhook(webhook), ...secret })
      await edit(deps, ctx.app, topic, body, line(formOf(request), 'version'))
    } catch (error) {
      const { errors, status } = refusalOf(error)
      return page(reply, secretPage({ ctx, topic, form, version: webhookEtag(webhook), signed, errors }), status)
    }
    await ctx.audit('webhook.secret', ctx.app.appKey, { topic, firma: form.firma })
    if (made) return page(allowScript(reply), madePage({ ctx, topics: [topic], secret: made, replaces: signed }), 201)
    return done(reply, form.firma === 'sin' ? 'secret-quitado' : 'webhook-guardado', here)
  })

  /** Switched off or on, and nothing else of it changed, whoever edits it at the same moment. */
  async function switchTo(activo: boolean, ctx: PortalContext, webhook: Webhook): Promise<void> {
    const body = checkedUpsert(bodyOfWebhook(webhook, { activo }))
    await edit(deps, ctx.app, webhook.topic, body, webhookEtag(webhook))
    await ctx.audit(activo ? 'webhook.reanudar' : 'webhook.suspender', ctx.app.appKey, { topic: webhook.topic })
  }

  app.post<ByTopic>(`${PATH}/suspender`, CONFIRMATION, async (request, reply) => {
    const found = await at(request)
    await switchTo(false, found.ctx, found.webhook)
    return done(reply, 'webhook-suspendido', found.here)
  })

  app.post<ByTopic>(`${PATH}/reanudar`, CONFIRMATION, async (request, reply) => {
    const found = await at(request)
    await switchTo(true, found.ctx, found.webhook)
    return done(reply, 'webhook-reanudado', found.here)
  })

  /** Also one whose topic was withdrawn can be removed. */
  async function removable(ctx: PortalContext, topic: string): Promise<Webhook> {
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    if (!webhook) throw notFound(NO_SUCH_TOPIC)
    return webhook
  }

  app.get<ByTopic>(`${PATH}/eliminar`, async (request, reply) => {
    const { ctx } = request
    const { topic, callback } = await removable(ctx, request.params.topic)
    const here = `${ctx.at}${SECTION}/${topic}`
    return page(
      reply,
      confirmPage({
        ctx,
        section: SECTION,
        above: { href: here, label: topic },
        title: `¿Eliminar el webhook de ${topic}?`,
        action: `${here}/eliminar`,
        button: 'Sí, eliminar',
        children: (
          <ul>
            <li>
              Nada más se envía a <code>{callback}</code>, y lo que espera se descarta.
            </li>
            <li>Su Secret y sus encabezados se olvidan.</li>
            <li>Los eventos se siguen guardando: puede leerlos, o enviarlos cuando configure otro.</li>
            <li>Para dejar de recibir por un tiempo, alcanza con suspenderlo.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ByTopic>(`${PATH}/eliminar`, CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { topic } = await removable(ctx, request.params.topic)
    await store.transaction((tx) => removeWebhook(tx, ctx.app, topic))
    await ctx.audit('webhook.eliminar', ctx.app.appKey, { topic })
    return done(reply, 'webhook-eliminado', ctx.at + SECTION)
  })
}
