import { notFound } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import {
  addDestino,
  addDestinoOnce,
  type Configured,
  configureOnce,
  edit,
  editDestino,
  mailsOf,
  visibleWebhook,
} from '../../../resources/appnotificaciones/configure.ts'
import { destinoEtag, webhookEtag } from '../../../resources/appnotificaciones/represent.ts'
import {
  checkedDestino,
  checkedUpsert,
  newWebhookSecret,
  type ShownOnce,
} from '../../../resources/appnotificaciones/settings.ts'
import { sendTest } from '../../../resources/appnotificaciones/test-events.ts'
import { DESTINOS, deliveryIdOf, FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import { listAppLog } from '../../../webhooks/delivery-log.ts'
import { webhookStatus } from '../../../webhooks/status-queries.ts'
import {
  findWebhook,
  firstOfTopics,
  isAvailable,
  isEnabled,
  listWebhooks,
  lockApp,
  removeWebhook,
  type Webhook,
} from '../../../webhooks/store.ts'
import { TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION_FORM, textField } from '../../form.ts'
import { type PageRequest, page } from '../../page.ts'
import { type PageDeps, redirectWithNotice, seeOther } from '../../signed-in.ts'
import { PORTAL, type PortalContext, type PortalPages } from '../context.tsx'
import { webhookPath, webhookTitle } from './destino.ts'
import {
  changedSettings,
  DESTINO_FORM,
  EMPTY_FORM,
  formErrors,
  parseForm,
  routingIn,
  secretOf,
  toBody,
  toForm,
  WEBHOOK_FORM,
} from './form.tsx'
import { createdPage, editPage, newDestinoPage, newWebhookPage } from './form-pages.tsx'
import { fullTopicPage, webhookPage, webhooksPage } from './pages.tsx'

type ByTopic = { Params: { topic: string } }
type ByWebhook = { Params: { topic: string; destino?: string } }

const RECENT = 5
const noSuchTopic = () => notFound(t('portal.webhooks.noSuchTopic'))
const noSuchWebhook = () => notFound(t('portal.destino.noSuch'))

const TOPIC_PATH = '/webhooks/:topic'
const ADD_PATH = `${TOPIC_PATH}/destinos`
const DESTINO_PATH = `${ADD_PATH}/:destino`
/** The pages of a webhook: those of a topic's first one are the topic's. */
const WEBHOOK_PATHS = [TOPIC_PATH, DESTINO_PATH]

/** 0, which no webhook has, for what is no number. */
const destinoIn = ({ destino }: ByWebhook['Params']): number =>
  destino === undefined ? FIRST_DESTINO : /^\d$/.test(destino) ? Number(destino) : 0

/** The audit log names the webhook only where the topic does not. */
const auditedAs = ({ topic, destino }: Webhook) => ({ topic, ...(destino !== FIRST_DESTINO && { destino }) })

/** /portal/{AppKey}/webhooks, …/{topic}, …/{topic}/destinos, …/prueba: the app's webhooks. */
export function webhooksRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps

  app.get('/webhooks', async ({ ctx }, reply) => {
    return page(reply, webhooksPage({ ctx, webhooks: await listWebhooks(store, seal, ctx.app) }))
  })

  async function othersThan(ctx: PortalContext, topic: string): Promise<Topic[]> {
    const taken = new Set(firstOfTopics(await listWebhooks(store, seal, ctx.app)).map((webhook) => webhook.topic))
    return TOPICS.filter((each) => each !== topic && isAvailable(ctx.app, each) && !taken.has(each))
  }

  /** Undefined if the app has no such webhook. */
  async function showWebhook(ctx: PortalContext, topic: string, destino: number) {
    const all = (await listWebhooks(store, seal, ctx.app)).filter((each) => each.topic === topic)
    const webhook = all.find((each) => each.destino === destino)
    if (!webhook) return undefined
    const log = await ctx.reader()
    const { rows: recent } = await listAppLog(log, ctx.app, { topic, destino }, { limit: RECENT }, 'deliveries')
    const [status, mails] = await Promise.all([webhookStatus(store, webhook.id), mailsOf(store, ctx.app, webhook)])
    return webhookPage({ ctx, webhook, all, mails, available: isAvailable(ctx.app, topic), status, recent })
  }

  app.get<ByTopic>(TOPIC_PATH, async ({ ctx, params: { topic } }, reply) => {
    const shown = await showWebhook(ctx, topic, FIRST_DESTINO)
    if (shown) return page(reply, shown)
    if (!isAvailable(ctx.app, topic)) throw noSuchTopic()
    const others = await othersThan(ctx, topic)
    return page(reply, newWebhookPage({ ctx, topic, form: EMPTY_FORM, others, also: [] }))
  })

  app.get<ByWebhook>(DESTINO_PATH, async ({ ctx, params }, reply) => {
    const shown = await showWebhook(ctx, params.topic, destinoIn(params))
    if (!shown) throw noSuchWebhook()
    return page(reply, shown)
  })

  app.post<ByTopic>(TOPIC_PATH, WEBHOOK_FORM, async ({ ctx, params: { topic }, form: written }, reply) => {
    if (!isAvailable(ctx.app, topic)) throw noSuchTopic()
    const form = parseForm(written)
    const ticked = new Set(written.getAll('tambien'))
    const also = TOPICS.filter((other) => other !== topic && ticked.has(other) && isAvailable(ctx.app, other))
    try {
      const body = checkedUpsert({ ...toBody(form, true), ...secretOf(form) })
      const topicsOf = (some: Configured[]) => some.map((each) => each.webhook.topic)
      const configured = await ctx.change<Configured[]>(
        (made) => {
          const topics = topicsOf(made.filter(({ isRepeated }) => !isRepeated))
          return topics.length > 0
            ? { act: 'webhook.configurar', subject: ctx.app.appKey, detail: { topics } }
            : undefined
        },
        async (tx) => {
          await lockApp(tx, ctx.app)
          const made: Configured[] = []
          for (const each of [topic, ...also]) {
            const secret = made[0]?.shown.Secret
            const same = secret === undefined ? body : { ...body, Secret: secret }
            const another = await configureOnce({ ...deps, store: tx }, { app: ctx.app, topic: each }, same)
            if (another) made.push(another)
            else if (each === topic) break
          }
          return made
        },
      )
      const [first] = configured
      if (!first) return seeOther(reply, `${ctx.basePath}/webhooks/${topic}`)
      const { webhook, shown } = first
      return page(reply, createdPage({ ctx, topics: topicsOf(configured), webhook, shown }), 201)
    } catch (error) {
      const { errors, status } = formErrors(error, form)
      const others = await othersThan(ctx, topic)
      return page(reply, newWebhookPage({ ctx, topic, form, others, also, errors }), status)
    }
  })

  app.get<ByTopic>(ADD_PATH, async ({ ctx, params: { topic } }, reply) => {
    if (!isAvailable(ctx.app, topic)) throw noSuchTopic()
    const taken = (await listWebhooks(store, seal, ctx.app)).filter((each) => each.topic === topic)
    const free = DESTINOS.find((destino) => !taken.some((each) => each.destino === destino))
    if (free === undefined) return page(reply, fullTopicPage({ ctx, topic, all: taken }))
    return page(reply, newDestinoPage({ ctx, topic, form: { ...EMPTY_FORM, destino: String(free) } }))
  })

  app.post<ByTopic>(ADD_PATH, DESTINO_FORM, async ({ ctx, params: { topic }, form: written }, reply) => {
    if (!isAvailable(ctx.app, topic)) throw noSuchTopic()
    const form = parseForm(written)
    try {
      const body = checkedDestino({ ...toBody(form, true), ...secretOf(form), ...routingIn(form) })
      const destino = DESTINOS.find((each) => String(each) === form.destino)
      const { webhook, shown } = await ctx.change<Configured>(
        (added) =>
          added.isRepeated
            ? undefined
            : {
                act: 'webhook.configurar',
                subject: ctx.app.appKey,
                detail: { topics: [topic], destino: added.webhook.destino },
              },
        (tx) =>
          destino === undefined
            ? addDestino({ ...deps, store: tx }, { app: ctx.app, topic }, body)
            : addDestinoOnce({ ...deps, store: tx }, { app: ctx.app, topic, destino }, body),
      )
      return page(reply, createdPage({ ctx, topics: [topic], webhook, shown }), 201)
    } catch (error) {
      const { errors, status } = formErrors(error, form)
      return page(reply, newDestinoPage({ ctx, topic, form, errors }), status)
    }
  })

  for (const path of WEBHOOK_PATHS)
    app.post<ByWebhook>(`${path}/prueba`, CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
      const { topic } = params
      const destino = destinoIn(params)
      const target = { app: ctx.app, topic, destino }
      const webhook = await findWebhook(store, seal, target)
      if (ctx.app.disabled || (webhook && !isEnabled(webhook)))
        return seeOther(reply, webhookPath(ctx.basePath, { topic, destino })) // the page says why
      const id = await ctx.change<string>(
        (evento) => ({ act: 'webhook.prueba', subject: ctx.app.appKey, detail: { topic, evento } }),
        (tx) => sendTest({ ...deps, store: tx }, target),
      )
      return redirectWithNotice(reply, 'prueba-enviada', `${ctx.basePath}/entregas/${deliveryIdOf(id, destino)}`)
    })
}

/** …/editar, …/secret, …/suspender, …/reanudar, …/eliminar of each webhook: the API's PUT and DELETE. */
export function editWebhookRoutes(app: PortalPages, deps: PageDeps): void {
  for (const path of WEBHOOK_PATHS) editRoutesAt(app, deps, path)
}

function editRoutesAt(app: PortalPages, deps: PageDeps, at: string): void {
  const { store, seal } = deps

  /** The webhook of the request; 404 if it does not exist or the topic was withdrawn. */
  async function load({ ctx, params }: PageRequest<PortalContext, ByWebhook>) {
    const target = { app: ctx.app, topic: params.topic, destino: destinoIn(params) }
    const webhook = await visibleWebhook(deps, target, noSuchWebhook)
    return { ctx, target, webhook, href: webhookPath(ctx.basePath, webhook) }
  }

  type EtagOf = (webhook: Webhook, mails: string[] | null) => string

  async function loadForm(request: PageRequest<PortalContext, ByWebhook>, etagOf: EtagOf) {
    const loaded = await load(request)
    const { ctx, webhook } = loaded
    const [mails, all] = await Promise.all([mailsOf(store, ctx.app, webhook), listWebhooks(store, seal, ctx.app)])
    const title = webhookTitle(webhook, all)
    return { ...loaded, title, form: toForm(webhook, mails), version: etagOf(webhook, mails) }
  }

  app.get<ByWebhook>(`${at}/editar`, async (request, reply) =>
    page(reply, editPage('editar', await loadForm(request, destinoEtag))),
  )

  app.post<ByWebhook>(`${at}/editar`, DESTINO_FORM, async (request, reply) => {
    const loaded = await loadForm(request, destinoEtag)
    const { ctx, target, webhook, href } = loaded
    const form = parseForm(request.form)
    const version = textField(request.form, 'version')
    try {
      const body = checkedDestino({ ...toBody(form, webhook.activo), ...routingIn(form) })
      await ctx.change({ act: 'webhook.editar', subject: ctx.app.appKey, detail: auditedAs(webhook) }, (tx) =>
        editDestino({ ...deps, store: tx }, target, body, version),
      )
    } catch (error) {
      const { errors, status } = formErrors(error, form)
      if (status !== 409) return page(reply, editPage('editar', { ...loaded, form, version, errors }), status)
      const stored = await loadForm(request, destinoEtag)
      const now = changedSettings(form, stored.form)
      return page(reply, editPage('editar', { ...stored, form, now, errors }), status)
    }
    return redirectWithNotice(reply, 'webhook-guardado', href)
  })

  app.get<ByWebhook>(`${at}/secret`, async (request, reply) =>
    page(reply, editPage('secret', await loadForm(request, webhookEtag))),
  )

  app.post<ByWebhook>(`${at}/secret`, WEBHOOK_FORM, async (request, reply) => {
    const now = await loadForm(request, webhookEtag)
    const { ctx, target, webhook, href } = now
    const form = parseForm(request.form)
    const { firma } = form
    const version = textField(request.form, 'version')
    const created: ShownOnce | undefined = firma === 'nueva' ? { Secret: newWebhookSecret() } : undefined
    let edited: Configured
    try {
      const body = checkedUpsert({ ...toBody(now.form, webhook.activo), ...(created ?? secretOf(form)) })
      const detail = { ...auditedAs(webhook), firma }
      edited = await ctx.change({ act: 'webhook.secret', subject: ctx.app.appKey, detail }, (tx) =>
        edit({ ...deps, store: tx }, target, body, { ifMatch: version }),
      )
    } catch (error) {
      const { errors, status } = formErrors(error, form)
      const refused = { ...now.form, firma, Secret: form.Secret }
      const shown =
        status === 409
          ? { ...now, form: refused, errors: { _: [t('portal.webhooks.changedSecret')] } }
          : { ...now, form: refused, errors, version }
      return page(reply, editPage('secret', shown), status)
    }
    const shown = created ?? edited.shown
    if (!shown.Secret && !shown.SecretEstandar)
      return redirectWithNotice(reply, firma === 'sin' ? 'secret-quitado' : 'webhook-guardado', href)
    const replaces = webhook.secretHint !== null
    const result = createdPage({ ctx, topics: [webhook.topic], webhook: edited.webhook, shown, replaces })
    return page(reply, result, 201)
  })

  /** 412 if somebody else edits the webhook at the same moment. */
  for (const act of ['suspender', 'reanudar'] as const)
    app.post<ByWebhook>(`${at}/${act}`, CONFIRMATION_FORM, async (request, reply) => {
      const { ctx, target, webhook, href } = await load(request)
      const body = checkedUpsert(toBody(toForm(webhook), act === 'reanudar'))
      await ctx.change({ act: `webhook.${act}`, subject: ctx.app.appKey, detail: auditedAs(webhook) }, (tx) =>
        edit({ ...deps, store: tx }, target, body, { ifMatch: webhookEtag(webhook) }),
      )
      return redirectWithNotice(reply, act === 'reanudar' ? 'webhook-reanudado' : 'webhook-suspendido', href)
    })

  serveConfirmation(app, `${at}/eliminar`, {
    audience: PORTAL,
    section: '/webhooks',
    /** A webhook may be removed even if its topic was withdrawn. */
    async load(params: ByWebhook['Params'], ctx) {
      const all = await listWebhooks(store, seal, ctx.app)
      const webhook = all.find(({ topic, destino }) => topic === params.topic && destino === destinoIn(params))
      if (!webhook) throw noSuchWebhook()
      return { webhook, title: webhookTitle(webhook, all) }
    },
    parentLink: ({ webhook, title }, ctx) => ({ href: webhookPath(ctx.basePath, webhook), label: title }),
    question: ({ webhook: { callback }, title }) => ({
      title: t('portal.webhooks.delete.title', { topic: title }),
      button: t('portal.webhooks.delete.button'),
      consequences: [
        t('portal.webhooks.delete.sent', { callback }),
        t('portal.webhooks.delete.secret'),
        t('portal.webhooks.delete.events'),
        t('portal.webhooks.delete.suspend'),
      ],
    }),
    act: ({ webhook }, ctx) =>
      ctx.change({ act: 'webhook.eliminar', subject: ctx.app.appKey, detail: auditedAs(webhook) }, (tx) =>
        removeWebhook(tx, { app: ctx.app, topic: webhook.topic, destino: webhook.destino }),
      ),
    notice: 'webhook-eliminado',
    next: (_, ctx) => `${ctx.basePath}/webhooks`,
  })
}
