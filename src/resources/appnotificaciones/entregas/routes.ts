import type { FastifyInstance } from 'fastify'
import type { App } from '../../../apps/app.ts'
import { apiRoutes } from '../../../http/api-routes.ts'
import { notFound } from '../../../http/problems.ts'
import type { Media } from '../../../http/responses.ts'
import { message } from '../../../i18n/messages.tsx'
import { findFrom } from '../../../store/replicas.ts'
import { destinoOf } from '../../../webhooks/delivery-ids.ts'
import { findWebhook, isAvailable, isEnabled } from '../../../webhooks/store.ts'
import { findDelivery, listDeliveries } from '../../../webhooks/topic-log.ts'
import { TopicParams } from '../schema.ts'
import type { NotificacionesDeps } from '../settings.ts'
import { agenciaFilter, readFilter, refuseBodyFilters, requireScope } from './filter.ts'
import { entregasList, entregaText, reenvioEntry, reenvioHref } from './represent.ts'
import { countMatching, resendMatching } from './resend.ts'
import { EntregaParams, EntregasQuery, ReenviarQuery, SCHEMAS } from './schema.ts'

const PER_PAGE = 50
const UNAVAILABLE = message('problema.topicNotAvailable')

/** …/{topic}/entregas, …/{topic}/entregas/{id}, …/{topic}/entregas/reenviar */
export function entregasRoutes(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  const { store, config } = deps
  const route = apiRoutes(app, media, { tags: ['AppNotificaciones'] }, SCHEMAS)

  route('GET', '/appnotificaciones/:topic/entregas', {
    operationId: 'listarEntregas',
    summary: 'Las entregas de un topic, la más nueva primero',
    description: 'Se guardan 90 días. Hay más mientras la respuesta traiga next.',
    params: TopicParams,
    query: EntregasQuery,
    response: { description: 'Entregas', entry: 'Entregas' },
    refuses: [404],
    async handle({ caller, params: { topic }, query }) {
      const filter = readFilter(query, config.timeZone)
      const rendering = await renderingOf(deps, caller, topic, filter.destino)
      const agencia = await agenciaFilter(store, caller, topic, query.adminMail)
      const paging = { before: query.cursor, limit: PER_PAGE + 1 }
      const db = await store.reader(`app:${caller.id}`)
      const found = await listDeliveries(db, caller, topic, { ...filter, agencia }, paging)
      const page = { page: found.slice(0, PER_PAGE), isLast: found.length <= PER_PAGE }
      return entregasList(topic, query, page, rendering)
    },
  })

  route('GET', '/appnotificaciones/:topic/entregas/:id', {
    operationId: 'verEntrega',
    summary: 'Una entrega, con lo que respondió el receptor en cada intento',
    description:
      'Con el cuerpo que se envía, y por cada intento el estado, la demora y los primeros 4 KiB de la respuesta.',
    params: EntregaParams,
    response: { description: 'La entrega', entry: 'EntregaDetalle' },
    refuses: [404],
    async handle({ caller, params: { topic, id } }) {
      const rendering = await renderingOf(deps, caller, topic, destinoOf(id))
      const delivery = await findFrom(store, `app:${caller.id}`, (db) => findDelivery(db, caller, topic, id))
      if (!delivery) throw notFound(message('problema.noDelivery'))
      return entregaText(delivery, rendering)
    },
  })

  route('POST', '/appnotificaciones/:topic/entregas/reenviar', {
    operationId: 'reenviarEntregas',
    summary: 'Reenviar las entregas que coinciden con los filtros',
    description:
      'Hace falta al menos un filtro, o todo=true; simular y cursor no son filtros. Las entregas conservan su Id. Se incluye también lo que ocurrió mientras no había webhook, que cuenta como descartada: ponerse al día es una sola llamada.',
    params: TopicParams,
    query: ReenviarQuery,
    response: { description: 'Cuántas se reenvían', entry: 'EntregasReenvio', status: 202 },
    refuses: [404],
    async handle({ caller, params: { topic }, query, body }, reply) {
      refuseBodyFilters(body)
      requireScope(query)
      const form = readFilter(query, config.timeZone)
      if (!isAvailable(caller, topic)) throw notFound(UNAVAILABLE)
      const agencia = await agenciaFilter(store, caller, topic, query.adminMail)
      const filter = { ...form, agencia, after: query.cursor }
      const simulado = query.simular ?? false
      const resent = simulado
        ? { count: await countMatching(deps, caller, topic, filter), last: undefined }
        : await resendMatching(deps, caller, topic, filter)
      reply.header('location', reenvioHref(topic, query))
      return reenvioEntry(topic, query, resent, simulado)
    },
  })
}

/** What the app may do with a topic's deliveries; 404 if the topic is not available to it. */
async function renderingOf({ store, seal, config }: NotificacionesDeps, app: App, topic: string, destino: number) {
  if (!isAvailable(app, topic)) throw notFound(UNAVAILABLE)
  const webhook = await findWebhook(store, seal, { app, topic, destino })
  return {
    timeZone: config.timeZone,
    isConfigured: webhook !== undefined,
    mayResend: webhook !== undefined && isEnabled(webhook),
  }
}
