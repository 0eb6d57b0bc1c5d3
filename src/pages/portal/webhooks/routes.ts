import { notFound } from '../../../http/problems.ts'
import { configure } from '../../../resources/appnotificaciones/configure.ts'
import { sendTest } from '../../../resources/appnotificaciones/prueba.ts'
import { checkedUpsert } from '../../../resources/appnotificaciones/written.ts'
import { listLogged } from '../../../webhooks/app-log.ts'
import { visibilityOf } from '../../../webhooks/status.ts'
import { findWebhook, isAvailable, isOn, listWebhooks } from '../../../webhooks/subscriptions.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { CONFIRMATION, formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice, seeOther } from '../../signed-in.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import { EMPTY_FORM, formErrors, parseForm, secretOf, toBody, WEBHOOK_FORM } from './form.ts'
import { createdPage, newWebhookPage } from './form-pages.tsx'
import { webhooksPage } from './list-page.tsx'
import { webhookPage } from './one-page.tsx'

export type ByTopic = { Params: { topic: string } }

const RECENT = 5
export const NO_SUCH_TOPIC = 'La app no puede usar ese topic, o no existe.'

/** /portal/{AppKey}/webhooks, …/{topic}, …/{topic}/prueba: the app's webhooks. */
export function webhooksRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  app.get('/webhooks', async (request, reply) => {
    const { ctx } = request
    return page(reply, webhooksPage({ ctx, webhooks: await listWebhooks(store, seal, ctx.app) }))
  })

  /** The other available topics without a webhook. */
  async function othersThan(ctx: PortalContext, topic: string): Promise<Topic[]> {
    const taken = new Set((await listWebhooks(store, seal, ctx.app)).map((webhook) => webhook.topic))
    return TOPICS.filter((each) => each !== topic && isAvailable(ctx.app, each) && !taken.has(each))
  }

  app.get<ByTopic>('/webhooks/:topic', async (request, reply) => {
    const { ctx } = request
    const { topic } = request.params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    const available = isAvailable(ctx.app, topic)
    if (webhook) {
      const { rows: recent } = await listLogged(store, ctx.app, { topic }, { limit: RECENT }, 'deliveries')
      const visibility = await visibilityOf(store, webhook.id)
      return page(reply, webhookPage({ ctx, webhook, available, visibility, recent }))
    }
    if (!available) throw notFound(NO_SUCH_TOPIC)
    const others = await othersThan(ctx, topic)
    return page(reply, newWebhookPage({ ctx, topic: topic as Topic, form: EMPTY_FORM, others, also: [] }))
  })

  app.post<ByTopic>('/webhooks/:topic', WEBHOOK_FORM, async (request, reply) => {
    const { ctx } = request
    const { topic } = request.params
    if (!isAvailable(ctx.app, topic)) throw notFound(NO_SUCH_TOPIC)
    if (await findWebhook(store, seal, ctx.app, topic)) return seeOther(reply, `${ctx.basePath}/webhooks/${topic}`)
    const [written, form] = [formOf(request), parseForm(formOf(request))]
    const others = await othersThan(ctx, topic)
    const ticked = new Set(written.getAll('tambien'))
    const also = others.filter((other) => ticked.has(other))
    try {
      const body = checkedUpsert({ ...toBody(form, true), ...secretOf(form) })
      const { made: created } = await configure(deps, ctx.app, topic, body)
      for (const other of also) await configure(deps, ctx.app, other, { ...body, ...(created && { Secret: created }) })
      const topics = [topic, ...also]
      await ctx.audit('webhook.configurar', ctx.app.appKey, { topics })
      return page(allowScript(reply), createdPage({ ctx, topics, secret: created }), 201)
    } catch (error) {
      const { errors, status } = formErrors(error)
      return page(reply, newWebhookPage({ ctx, topic, form, others, also, errors }), status)
    }
  })

  app.post<ByTopic>('/webhooks/:topic/prueba', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { topic } = request.params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    if (ctx.app.disabled || (webhook && !isOn(webhook))) return seeOther(reply, `${ctx.basePath}/webhooks/${topic}`) // the page says why
    const id = await sendTest(deps, ctx.app, topic, undefined)
    await ctx.audit('webhook.prueba', ctx.app.appKey, { topic, evento: id })
    return redirectWithNotice(reply, 'prueba-enviada', `${ctx.basePath}/entregas/${id}`)
  })
}
