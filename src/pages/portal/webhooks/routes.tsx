import { notFound } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { type Configured, configure, edit, visibleWebhook } from '../../../resources/appnotificaciones/configure.ts'
import { webhookEtag } from '../../../resources/appnotificaciones/represent.ts'
import { checkedUpsert, newSecret } from '../../../resources/appnotificaciones/settings.ts'
import { sendTest } from '../../../resources/appnotificaciones/test-events.ts'
import { FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import { listAppLog } from '../../../webhooks/delivery-log.ts'
import { webhookStatus } from '../../../webhooks/status-queries.ts'
import {
  findWebhook,
  firstOfTopics,
  isAvailable,
  isEnabled,
  listWebhooks,
  removeWebhook,
} from '../../../webhooks/store.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION_FORM, textField } from '../../form.ts'
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
  toBody,
  toForm,
  WEBHOOK_FORM,
} from './form.tsx'
import { webhookPage, webhooksPage } from './pages.tsx'

type ByTopic = { Params: { topic: string } }

const RECENT = 5
const noSuchTopic = () => notFound(t('portal.webhooks.noSuchTopic'))

/** /portal/{AppKey}/webhooks, …/{topic}, …/{topic}/prueba: the app's webhooks. */
export function webhooksRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  app.get('/webhooks', async ({ ctx }, reply) => {
    return page(reply, webhooksPage({ ctx, webhooks: firstOfTopics(await listWebhooks(store, seal, ctx.app)) }))
  })

  async function othersThan(ctx: PortalContext, topic: string): Promise<Topic[]> {
    const taken = new Set(firstOfTopics(await listWebhooks(store, seal, ctx.app)).map((webhook) => webhook.topic))
    return TOPICS.filter((each) => each !== topic && isAvailable(ctx.app, each) && !taken.has(each))
  }

  app.get<ByTopic>('/webhooks/:topic', async ({ ctx, params }, reply) => {
    const { topic } = params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    const available = isAvailable(ctx.app, topic)
    if (webhook) {
      const { rows: recent } = await listAppLog(await ctx.reader(), ctx.app, { topic }, { limit: RECENT }, 'deliveries')
      const visibility = await webhookStatus(store, webhook.id)
      return page(reply, webhookPage({ ctx, webhook, available, visibility, recent }))
    }
    if (!available) throw noSuchTopic()
    const others = await othersThan(ctx, topic)
    return page(reply, newWebhookPage({ ctx, topic: topic as Topic, form: EMPTY_FORM, others, also: [] }))
  })

  app.post<ByTopic>('/webhooks/:topic', WEBHOOK_FORM, async ({ ctx, params: { topic }, form: written }, reply) => {
    if (!isAvailable(ctx.app, topic)) throw noSuchTopic()
    if (await findWebhook(store, seal, ctx.app, topic)) return seeOther(reply, `${ctx.basePath}/webhooks/${topic}`)
    const form = parseForm(written)
    const others = await othersThan(ctx, topic)
    const ticked = new Set(written.getAll('tambien'))
    const also = others.filter((other) => ticked.has(other))
    try {
      const body = checkedUpsert({ ...toBody(form, true), ...secretOf(form) })
      const { webhook, shown } = await configure(deps, ctx.app, topic, body)
      const same = shown.Secret === undefined ? body : { ...body, Secret: shown.Secret }
      for (const other of also) await configure(deps, ctx.app, other, same)
      const topics = [topic, ...also]
      await ctx.audit('webhook.configurar', ctx.app.appKey, { topics })
      return page(allowScript(reply), createdPage({ ctx, topics, webhook, shown }), 201)
    } catch (error) {
      const { errors, status } = formErrors(error)
      return page(reply, newWebhookPage({ ctx, topic, form, others, also, errors }), status)
    }
  })

  app.post<ByTopic>('/webhooks/:topic/prueba', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const { topic } = params
    const webhook = await findWebhook(store, seal, ctx.app, topic)
    if (ctx.app.disabled || (webhook && !isEnabled(webhook)))
      return seeOther(reply, `${ctx.basePath}/webhooks/${topic}`) // the page says why
    const id = await sendTest(deps, ctx.app, topic, FIRST_DESTINO, undefined)
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

  for (const path of ['editar', 'secret'] as const) {
    app.get<ByTopic>(`${PATH}/${path}`, async (request, reply) => {
      const { ctx, webhook } = await load(request)
      return page(reply, editPage(path, { ctx, webhook, form: toForm(webhook) }))
    })

    app.post<ByTopic>(`${PATH}/${path}`, WEBHOOK_FORM, async (request, reply) => {
      const { ctx, webhook, topic, href } = await load(request)
      const form = parseForm(request.form)
      const { firma } = form
      const created = path === 'secret' && firma === 'nueva' ? newSecret() : undefined
      const now = toForm(webhook)
      let edited: Configured
      try {
        const secret = created ? { Secret: created } : secretOf(form)
        const settings =
          path === 'editar' ? toBody(form, webhook.activo) : { ...toBody(now, webhook.activo), ...secret }
        edited = await edit(deps, ctx.app, topic, checkedUpsert(settings), {
          ifMatch: textField(request.form, 'version'),
        })
      } catch (error) {
        const { errors, status } = formErrors(error)
        const shown = status === 412 ? { ...now, firma, Secret: form.Secret } : form
        return page(reply, editPage(path, { ctx, webhook, form: shown, errors }), status)
      }
      await ctx.audit(`webhook.${path}`, ctx.app.appKey, { topic, ...(path === 'secret' && { firma }) })
      const shown = created ? { Secret: created } : edited.shown
      if (!shown.Secret && !shown.SecretEstandar)
        return redirectWithNotice(reply, firma === 'sin' ? 'secret-quitado' : 'webhook-guardado', href)
      const replaces = webhook.secretHint !== null
      return page(
        allowScript(reply),
        createdPage({ ctx, topics: [topic], webhook: edited.webhook, shown, replaces }),
        201,
      )
    })
  }

  /** 412 if somebody else edits the webhook at the same moment. */
  for (const act of ['suspender', 'reanudar'] as const)
    app.post<ByTopic>(`${PATH}/${act}`, CONFIRMATION_FORM, async (request, reply) => {
      const { ctx, webhook, topic, href } = await load(request)
      const body = checkedUpsert(toBody(toForm(webhook), act === 'reanudar'))
      await edit(deps, ctx.app, topic, body, { ifMatch: webhookEtag(webhook) })
      await ctx.audit(`webhook.${act}`, ctx.app.appKey, { topic })
      return redirectWithNotice(reply, act === 'reanudar' ? 'webhook-reanudado' : 'webhook-suspendido', href)
    })

  serveConfirmation(app, `${PATH}/eliminar`, {
    audience: PORTAL,
    section: '/webhooks',
    /** A webhook may be removed even if its topic was withdrawn. */
    async load({ topic }: ByTopic['Params'], ctx) {
      const webhook = await findWebhook(store, seal, ctx.app, topic)
      if (!webhook) throw noSuchTopic()
      return webhook
    },
    parentLink: ({ topic }, ctx) => ({ href: `${ctx.basePath}/webhooks/${topic}`, label: topic }),
    question: ({ topic, callback }) => ({
      title: t('portal.webhooks.delete.title', { topic }),
      button: t('portal.webhooks.delete.button'),
      consequences: [
        t('portal.webhooks.delete.sent', { callback }),
        t('portal.webhooks.delete.secret'),
        t('portal.webhooks.delete.events'),
        t('portal.webhooks.delete.suspend'),
      ],
    }),
    async act({ topic }, ctx) {
      await store.transaction((tx) => removeWebhook(tx, ctx.app, topic))
      await ctx.audit('webhook.eliminar', ctx.app.appKey, { topic })
    },
    notice: 'webhook-eliminado',
    next: (_, ctx) => `${ctx.basePath}/webhooks`,
  })
}
