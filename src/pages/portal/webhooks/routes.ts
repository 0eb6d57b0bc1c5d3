import { notFound } from '../../../http/problems.ts'
import { configure } from '../../../resources/appnotificaciones/configure.ts'
import { sendTest } from '../../../resources/appnotificaciones/prueba.ts'
import { checkedUpsert } from '../../../resources/appnotificaciones/written.ts'
import { listLogged } from '../../../webhooks/app-log.ts'
import { visibilityOf } from '../../../webhooks/standing.ts'
import { findWebhook, isAvailable, isOn, listWebhooks } from '../../../webhooks/subscriptions.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { CONFIRMATION, formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps, seeOther } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import { refusalOf } from './faults.ts'
import { bodyOf, EMPTY_FORM, formFrom, secretOf, WEBHOOK_FORM } from './form.ts'
import { SECTION, webhooksPage } from './list-page.tsx'
import { madePage } from './made-page.tsx'
import { newWebhookPage } from './new-page.tsx'
import { webhookPage } from './one-page.tsx'

export type ByTopic = { Params: ByApp['Params'] & { topic: string } }

const RECENT = 5
export const NO_SUCH_TOPIC = 'La app no puede usar ese topic, o no existe.'

/** /portal/{appKey}/webhooks, …/{topic}, …/{topic}/prueba: where the app is told what happens. */
export function webhooksRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  app.get<ByApp>(SECTION, async (request, reply) => {
    const { ctx } = request
    return page(reply, webhooksPage({ ctx, webhooks: await listWebhooks(store, seal, ctx.app) }))
  })

  /** Topics that the app may use and has no webhook for, that one aside. */
  async function othersThan(ctx: PortalContext, topic: string): Promise<Topic[]> {
    const taken = new Set((await listWebhooks(store, seal, ctx.app)).map((webhook) => webhook.topic))
    return TOPICS.filter((each) => each !== topic && isAvailable(ctx.app, each) && !taken.has(each))
  }

  app.get<ByTopic>(`${SECTION}/:topic`, async (request, reply) => {
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

  app.post<ByTopic>(`${SECTION}/:topic`, WEBHOOK_FORM, async (request, reply) => {
    const { ctx } = request
    const { topic } = request.params
    if (!isAvailable(ctx.app, topic)) throw notFound(NO_SUCH_TOPIC)
    if (await findWebhook(store, seal, ctx.app, topic)) return seeOther(reply, `${ctx.at}${SECTION}/${topic}`)
    const [written, form] = [formOf(request), formFrom(formOf(request))]
    const others = await othersThan(ctx, topic)
    const ticked = new Set(written.getAll('tambien'))
    const also = others.filter((other) => ticked.has(other))
    try {
      const body = checkedUpsert({ ...bodyOf(form, true), ...secretOf(form) })
      const { made } = await configure(deps, ctx.app, topic, body)
      for (const other of also) await configure(deps, ctx.app, other, { ...body, ...(made && { Secret: made }) })
      const topics = [topic, ...also]
      await ctx.audit('webhook.configurar', ctx.app.appKey, { topics })
      return page(allowScript(reply), madePage({ ctx, topics, secret: made }), 201)
    } catch (error) {
      const { errors, status } = refusalOf(error)
      return page(reply, newWebhookPage({ ctx, topic, form, others, also, errors }), status)
    }
  })

  app.post<ByTopic>(`${SECTION}/:topic/prueba`, CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { topic } = request.params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    if (ctx.app.disabled || (webhook && !isOn(webhook))) return seeOther(reply, `${ctx.at}${SECTION}/${topic}`) // the page says why
    const id = await sendTest(deps, ctx.app, topic, undefined)
    await ctx.audit('webhook.prueba', ctx.app.appKey, { topic, evento: id })
    return done(reply, 'prueba-enviada', `${ctx.at}/entregas/${id}`)
  })
}
