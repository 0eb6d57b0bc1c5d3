import type { FastifyInstance } from 'fastify'
import type { App } from '../../apps/app.ts'
import { apiRoutes } from '../../http/api-routes.ts'
import { KIB } from '../../http/body.ts'
import { withVersionEtag } from '../../http/encoded-body.ts'
import { notFound } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { isAvailable, listWebhooks, type Webhook } from '../../webhooks/store.ts'
import { addDestino, editDestino, mailsOf, NOT_THERE, remove, visibleWebhook } from './configure.ts'
import { destinoEntry, destinoEtag, destinoHref, destinosList } from './represent.ts'
import { AppWebhookDestinoUpsert, DestinoParams, TopicParams } from './schema.ts'
import type { NotificacionesDeps, ShownOnce } from './settings.ts'

/** …/{topic}/destinos, …/{topic}/destinos/{id}: all webhooks of a topic; the first is that of the specification. */
export function destinosRoutes(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  const { store, seal, config } = deps
  const route = apiRoutes(app, media, { tags: ['AppNotificaciones'] })
  const one = { description: 'El destino', entry: 'AppWebhookDestino' }

  async function serialize(caller: App, webhook: Webhook, shown?: ShownOnce): Promise<{ body: Buffer; etag: string }> {
    const agencias = await mailsOf(store, caller, webhook)
    const etag = destinoEtag(webhook, agencias)
    const entry = destinoEntry(caller, webhook, agencias, config.timeZone, shown)
    return { body: withVersionEtag(Buffer.from(JSON.stringify(entry)), etag), etag }
  }

  route('GET', '/appnotificaciones/:topic/destinos', {
    operationId: 'listarDestinos',
    summary: 'Los destinos de un topic',
    description:
      'Hasta cinco, cada uno con su dirección, su Secret, sus agencias y su registro de entregas: lo que falla en uno no demora a los otros. El 1 es el de /v3/appnotificaciones/{topic}.',
    params: TopicParams,
    response: { description: 'Los destinos', entry: 'AppWebhookDestinos' },
    refuses: [404],
    async handle({ caller, params: { topic } }) {
      const webhooks = (await listWebhooks(store, seal, caller)).filter((each) => each.topic === topic)
      if (webhooks.length === 0 && !isAvailable(caller, topic)) throw notFound(NOT_THERE)
      const entries: object[] = []
      for (const webhook of webhooks)
        entries.push(destinoEntry(caller, webhook, await mailsOf(store, caller, webhook), config.timeZone))
      return destinosList(caller, topic, entries)
    },
  })

  route('POST', '/appnotificaciones/:topic/destinos', {
    operationId: 'agregarDestino',
    summary: 'Agregar un destino a un topic',
    description:
      'Recibe los eventos desde ahora. Su número es el primero que esté libre. Si no se envía Secret, se crea uno, que se muestra solo en esta respuesta.',
    params: TopicParams,
    body: AppWebhookDestinoUpsert,
    bodyLimit: 512 * KIB,
    response: { ...one, status: 201, etag: true },
    refuses: [403],
    async handle({ caller, params, body }, reply) {
      const { webhook, shown } = await addDestino(deps, { app: caller, ...params }, body)
      const { body: entry, etag } = await serialize(caller, webhook, shown)
      reply.header('location', destinoHref(webhook.topic, webhook.destino)).header('etag', etag)
      return entry
    },
  })

  route('GET', '/appnotificaciones/:topic/destinos/:id', {
    operationId: 'verDestino',
    summary: 'Un destino de un topic',
    description: 'El ETag abarca la configuración, no Salud.',
    params: DestinoParams,
    response: one,
    refuses: [404],
    async handle({ caller, params: { topic, id } }) {
      return (await serialize(caller, await visibleWebhook(deps, { app: caller, topic, destino: id }))).body
    },
  })

  route('PUT', '/appnotificaciones/:topic/destinos/:id', {
    operationId: 'editarDestino',
    summary: 'Reemplazar la configuración de un destino',
    description:
      'Un Secret nuevo firma junto al anterior durante 24 horas. Al pasar a EnOrden, también se ordena lo pendiente.',
    params: DestinoParams,
    body: AppWebhookDestinoUpsert,
    bodyLimit: 512 * KIB,
    response: { ...one, etag: true },
    refuses: [404, 412],
    async handle({ caller, params: { topic, id }, body, headers }, reply) {
      const target = { app: caller, topic, destino: id }
      const { webhook, shown } = await editDestino(deps, target, body, headers['if-match'])
      const { body: entry, etag } = await serialize(caller, webhook, shown)
      reply.header('etag', etag)
      return entry
    },
  })

  route('DELETE', '/appnotificaciones/:topic/destinos/:id', {
    operationId: 'eliminarDestino',
    summary: 'Eliminar un destino de un topic',
    description: 'Lo pendiente se descarta. Su número queda libre para otro.',
    params: DestinoParams,
    response: { description: 'Eliminado' },
    refuses: [404],
    async handle({ caller, params: { topic, id } }) {
      await remove(deps, { app: caller, topic, destino: id })
    },
  })
}
