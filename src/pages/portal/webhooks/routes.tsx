import { notFound } from '../../../http/problems.ts'
import { configure, edit, visibleWebhook } from '../../../resources/appnotificaciones/configure.ts'
import { webhookEtag } from '../../../resources/appnotificaciones/represent.ts'
import { checkedUpsert, newSecret } from '../../../resources/appnotificaciones/settings.ts'
import { sendTest } from '../../../resources/appnotificaciones/test-events.ts'
import { listAppLog } from '../../../webhooks/delivery-log.ts'
import { webhookStatus } from '../../../webhooks/status.ts'
import {
  findWebhook,
  isAvailable,
  isOn,
  listWebhooks,
  removeWebhook,
  type Webhook,
} from '../../../webhooks/subscriptions.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { type PageRequest, page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice, seeOther } from '../../signed-in.ts'
import { PORTAL, type PortalContext, type PortalPages } from '../context.tsx'
import {
  createdPage,
  EMPTY_FORM,
  editPage,
  formErrors,
  newWebhookPage,
  parseForm,
  secretOf,
  secretPage,
  toBody,
  toForm,
  WEBHOOK_FORM,
  webhookBody,
} from './form.tsx'
import { webhookPage, webhooksPage } from './pages.tsx'

type ByTopic = { Params: { topic: string } }

const RECENT = 5
const NO_SUCH_TOPIC = 'La app no puede usar ese topic, o no existe.'

/** /portal/{AppKey}/webhooks, …/{topic}, …/{topic}/prueba: the app's webhooks. */
export function webhooksRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  app.get('/webhooks', async ({ ctx }, reply) => {
    return page(reply, webhooksPage({ ctx, webhooks: await listWebhooks(store, seal, ctx.app) }))
  })

  /** The other available topics without a webhook. */
  async function othersThan(ctx: PortalContext, topic: string): Promise<Topic[]> {
    const taken = new Set((await listWebhooks(store, seal, ctx.app)).map((webhook) => webhook.topic))
    return TOPICS.filter((each) => each !== topic && isAvailable(ctx.app, each) && !taken.has(each))
  }

  app.get<ByTopic>('/webhooks/:topic', async ({ ctx, params }, reply) => {
    const { topic } = params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    const available = isAvailable(ctx.app, topic)
    if (webhook) {
      const { rows: recent } = await listAppLog(store, ctx.app, { topic }, { limit: RECENT }, 'deliveries')
      const visibility = await webhookStatus(store, webhook.id)
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

  app.post<ByTopic>('/webhooks/:topic/prueba', CONFIRMATION, async ({ ctx, params }, reply) => {
    const { topic } = params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    if (ctx.app.disabled || (webhook && !isOn(webhook))) return seeOther(reply, `${ctx.basePath}/webhooks/${topic}`) // the page says why
    const id = await sendTest(deps, ctx.app, topic, undefined)
    await ctx.audit('webhook.prueba', ctx.app.appKey, { topic, evento: id })
    return redirectWithNotice(reply, 'prueba-enviada', `${ctx.basePath}/entregas/${id}`)
  })
}

const PATH = `/webhooks/:topic`

/** …/{topic}/editar, …/secret, …/suspender, …/reanudar, …/eliminar: the API's PUT and DELETE. */
export function editWebhookRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  /** The webhook of the request; 404 if it does not exist or the topic was withdrawn. */
  async function load({ ctx, params }: PageRequest<PortalContext, ByTopic>) {
    const webhook = await visibleWebhook(deps, ctx.app, params.topic)
    return { ctx, webhook, topic: webhook.topic, href: `${ctx.basePath}/webhooks/${webhook.topic}` }
  }

  app.get<ByTopic>(`${PATH}/editar`, async (request, reply) => {
    const { ctx, webhook, topic } = await load(request)
    return page(reply, editPage({ ctx, topic, form: toForm(webhook), version: webhookEtag(webhook) }))
  })

  app.post<ByTopic>(`${PATH}/editar`, WEBHOOK_FORM, async (request, reply) => {
    const { ctx, webhook, topic, href } = await load(request)
    const form = parseForm(formOf(request))
    try {
      const body = checkedUpsert(toBody(form, webhook.activo))
      await edit(deps, ctx.app, topic, body, line(formOf(request), 'version'))
    } catch (error) {
      const { errors, status } = formErrors(error)
      const shown = status === 412 ? toForm(webhook) : form
      return page(reply, editPage({ ctx, topic, form: shown, version: webhookEtag(webhook), errors }), status)
    }
    await ctx.audit('webhook.editar', ctx.app.appKey, { topic })
    return redirectWithNotice(reply, 'webhook-guardado', href)
  })

  app.get<ByTopic>(`${PATH}/secret`, async (request, reply) => {
    const { ctx, webhook, topic } = await load(request)
    const signed = webhook.secretHint !== null
    return page(reply, secretPage({ ctx, topic, form: EMPTY_FORM, version: webhookEtag(webhook), signed }))
  })

  app.post<ByTopic>(`${PATH}/secret`, WEBHOOK_FORM, async (request, reply) => {
    const { ctx, webhook, topic, href } = await load(request)
    const form = parseForm(formOf(request))
    const signed = webhook.secretHint !== null
    const created = form.firma === 'nueva' ? newSecret() : undefined
    try {
      const secret = created ? { Secret: created } : secretOf(form)
      const body = checkedUpsert({ ...webhookBody(webhook), ...secret })
      await edit(deps, ctx.app, topic, body, line(formOf(request), 'version'))
    } catch (error) {
      const { errors, status } = formErrors(error)
      return page(reply, secretPage({ ctx, topic, form, version: webhookEtag(webhook), signed, errors }), status)
    }
    await ctx.audit('webhook.secret', ctx.app.appKey, { topic, firma: form.firma })
    if (created)
      return page(allowScript(reply), createdPage({ ctx, topics: [topic], secret: created, replaces: signed }), 201)
    return redirectWithNotice(reply, form.firma === 'sin' ? 'secret-quitado' : 'webhook-guardado', href)
  })

  /** Suspends or resumes a webhook; 412 if somebody else edits it at the same moment. */
  async function switchTo(activo: boolean, ctx: PortalContext, webhook: Webhook): Promise<void> {
    const body = checkedUpsert(webhookBody(webhook, { activo }))
    await edit(deps, ctx.app, webhook.topic, body, webhookEtag(webhook))
    await ctx.audit(activo ? 'webhook.reanudar' : 'webhook.suspender', ctx.app.appKey, { topic: webhook.topic })
  }

  app.post<ByTopic>(`${PATH}/suspender`, CONFIRMATION, async (request, reply) => {
    const found = await load(request)
    await switchTo(false, found.ctx, found.webhook)
    return redirectWithNotice(reply, 'webhook-suspendido', found.href)
  })

  app.post<ByTopic>(`${PATH}/reanudar`, CONFIRMATION, async (request, reply) => {
    const found = await load(request)
    await switchTo(true, found.ctx, found.webhook)
    return redirectWithNotice(reply, 'webhook-reanudado', found.href)
  })

  serveConfirmation(app, `${PATH}/eliminar`, {
    audience: PORTAL,
    section: '/webhooks',
    /** A webhook may be removed even if its topic was withdrawn. */
    async load({ topic }: ByTopic['Params'], ctx) {
      const webhook = await findWebhook(store, seal, ctx.app, topic)
      if (!webhook) throw notFound(NO_SUCH_TOPIC)
      return webhook
    },
    above: ({ topic }, ctx) => ({ href: `${ctx.basePath}/webhooks/${topic}`, label: topic }),
    question: ({ topic, callback }) => ({
      title: `¿Eliminar el webhook de ${topic}?`,
      button: 'Sí, eliminar',
      consequences: (
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
    async act({ topic }, ctx) {
      await store.transaction((tx) => removeWebhook(tx, ctx.app, topic))
      await ctx.audit('webhook.eliminar', ctx.app.appKey, { topic })
    },
    notice: 'webhook-eliminado',
    next: (_, ctx) => `${ctx.basePath}/webhooks`,
  })
}
