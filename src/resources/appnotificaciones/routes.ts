import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '../../http/api-routes.ts'
import { KIB } from '../../http/body.ts'
import { withVersionEtag } from '../../http/encoded-body.ts'
import type { Media } from '../../http/responses.ts'
import { deliveryIdOf, FIRST_DESTINO } from '../../webhooks/delivery-ids.ts'
import { listWebhooks } from '../../webhooks/store.ts'
import { configure, edit, remove, visibleWebhook } from './configure.ts'
import { destinosRoutes } from './destinos.ts'
import { entregasRoutes } from './entregas/routes.ts'
import { entregaHref, pruebaEntry, topicsList, webhookEntry, webhookEtag, webhookHref } from './represent.ts'
import { AppWebhookUpsert, DestinoQuery, SCHEMAS, TopicParams } from './schema.ts'
import type { NotificacionesDeps } from './settings.ts'
import { sendTest } from './test-events.ts'

/** /v3/appnotificaciones, /v3/appnotificaciones/{topic}, …/prueba, …/entregas */
export function appnotificacionesRoutes(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  const { store, seal } = deps
  const { timeZone } = deps.config
  const route = apiRoutes(app, media, { tags: ['AppNotificaciones'] }, SCHEMAS)
  const one = { description: 'El webhook', entry: 'AppWebhook' }

  route('GET', '/appnotificaciones', {
    operationId: 'listarWebhooks',
    summary: 'Los topics disponibles para la app, y los webhooks configurados',
    description: 'Un elemento por topic que la app puede usar, con su webhook si lo configuró.',
    response: { description: 'Los topics', entry: 'AppWebhooks' },
    async handle({ caller }) {
      return topicsList(caller, await listWebhooks(store, seal, caller), timeZone)
    },
  })

  route('GET', '/appnotificaciones/:topic', {
    operationId: 'verWebhook',
    summary: 'El webhook de un topic',
    description: 'El ETag abarca la configuración, no Salud.',
    params: TopicParams,
    response: one,
    refuses: [404],
    async handle({ caller, params }) {
      return serializeWebhook(caller, await visibleWebhook(deps, { app: caller, ...params }), timeZone)
    },
  })

  route('POST', '/appnotificaciones/:topic', {
    operationId: 'configurarWebhook',
    summary: 'Configurar el webhook de un topic',
    description:
      'Si no se envía Secret, se crea uno, que se muestra solo en esta respuesta. Si se envía uno propio, se muestra, también solo aquí, su SecretEstandar.',
    params: TopicParams,
    body: AppWebhookUpsert,
    bodyLimit: 128 * KIB,
    response: { ...one, status: 201, etag: true },
    refuses: [403, 409],
    async handle({ caller, params, body }, reply) {
      const { webhook, shown } = await configure(deps, { app: caller, ...params }, body)
      reply.header('location', webhookHref(webhook.topic)).header('etag', webhookEtag(webhook))
      return serializeWebhook(caller, webhook, timeZone, shown)
    },
  })

  route('PUT', '/appnotificaciones/:topic', {
    operationId: 'editarWebhook',
    summary: 'Reemplazar la configuración de un webhook',
    description:
      'Un Secret nuevo firma junto al anterior durante 24 horas; solo esta respuesta trae su SecretEstandar.',
    params: TopicParams,
    body: AppWebhookUpsert,
    bodyLimit: 128 * KIB,
    response: { ...one, etag: true },
    refuses: [404, 412],
    async handle({ caller, params, body, headers }, reply) {
      const { webhook, shown } = await edit(deps, { app: caller, ...params }, body, {
        ifMatch: headers['if-match'],
      })
      reply.header('etag', webhookEtag(webhook))
      return serializeWebhook(caller, webhook, timeZone, shown)
    },
  })

  route('DELETE', '/appnotificaciones/:topic', {
    operationId: 'eliminarWebhook',
    summary: 'Eliminar el webhook de un topic',
    description:
      'Lo pendiente se descarta. Los demás destinos del topic siguen recibiendo. Los eventos se siguen guardando y se leen en /v3/eventos.',
    params: TopicParams,
    response: { description: 'Eliminado' },
    refuses: [404],
    async handle({ caller, params }) {
      await remove(deps, { app: caller, ...params })
    },
  })

  route('POST', '/appnotificaciones/:topic/prueba', {
    operationId: 'probarWebhook',
    summary: 'Enviar una notificación de prueba',
    description: 'Con datos de ejemplo y Prueba: true; está también en las entregas y en eventos.',
    params: TopicParams,
    query: DestinoQuery,
    response: { description: 'La notificación de prueba que se envía', entry: 'AppWebhookPrueba', status: 202 },
    refuses: [404],
    async handle({ caller, params: { topic }, query: { destino = FIRST_DESTINO }, headers }, reply) {
      const id = await sendTest(deps, { app: caller, topic, destino }, headers.traceparent?.toString())
      reply.header('location', entregaHref(topic, deliveryIdOf(id, destino)))
      return pruebaEntry(topic, id, destino)
    },
  })

  destinosRoutes(app, media, deps)
  entregasRoutes(app, media, deps)
}

/** With the ETag of a GET, so that the client can edit again. */
const serializeWebhook = (...shown: Parameters<typeof webhookEntry>): Buffer =>
  withVersionEtag(Buffer.from(JSON.stringify(webhookEntry(...shown))), webhookEtag(shown[1]))
