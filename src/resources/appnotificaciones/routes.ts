import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { KIB } from '../../http/body.ts'
import { withVersionEtag } from '../../http/encoded-body.ts'
import { notFound } from '../../http/problems.ts'
import { acts, answers, type Media, reads } from '../../http/responses.ts'
import { listWebhooks, removeWebhook } from '../../webhooks/subscriptions.ts'
import { configure, edit, NOT_THERE, visibleWebhook } from './configure.ts'
import { entregasRoutes } from './entregas/routes.ts'
import { entregaHref, pruebaEntry, topicsList, webhookEntry, webhookEtag, webhookHref } from './represent.ts'
import { type AppWebhookUpsert, SCHEMAS, TopicParams } from './schema.ts'
import type { NotificacionesDeps } from './settings.ts'
import { sendTest } from './test-events.ts'

interface OfTopic {
  Params: { topic: string }
}

const tags = ['AppNotificaciones']
const caching = 'no-store' as const

/** /v3/appnotificaciones, /v3/appnotificaciones/{topic}, …/prueba, …/entregas */
export function appnotificacionesRoutes(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  list(app, media, deps)
  read(app, media, deps)
  change(app, media, deps)
  prueba(app, media, deps)
  entregasRoutes(app, media, deps)
}

function list(app: FastifyInstance, media: Media, { store, seal, config }: NotificacionesDeps): void {
  app.get(
    '/appnotificaciones',
    {
      schema: {
        tags,
        operationId: 'listarWebhooks',
        summary: 'Los topics disponibles para la app, y los webhooks configurados',
        response: reads(media, { description: 'Los topics', entry: Type.Ref('AppWebhooks') }),
      },
      config: { caching },
    },
    async ({ caller }) => serialize(topicsList(caller, await listWebhooks(store, seal, caller), config.timeZone)),
  )
}

function read(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  app.get<OfTopic>(
    '/appnotificaciones/:topic',
    {
      schema: {
        tags,
        operationId: 'verWebhook',
        summary: 'El webhook de un topic',
        description: 'El ETag abarca la configuración, no Salud.',
        params: TopicParams,
        response: reads(media, { description: 'El webhook', entry: Type.Ref('AppWebhook') }, [400, 404]),
      },
      config: { caching },
    },
    async ({ caller, params }) => {
      const webhook = await visibleWebhook(deps, caller, params.topic)
      return serializeWebhook(caller, webhook, deps.config.timeZone)
    },
  )
}

function change(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  const { timeZone } = deps.config
  const body = Type.Ref('AppWebhookUpsert')
  const success = { description: 'El webhook', entry: Type.Ref('AppWebhook') }
  app.post<OfTopic & { Body: AppWebhookUpsert }>(
    '/appnotificaciones/:topic',
    {
      bodyLimit: 128 * KIB,
      schema: {
        tags,
        operationId: 'configurarWebhook',
        summary: 'Configurar el webhook de un topic',
        description: 'Un Secret que no se envía se crea, y se muestra solo en esta respuesta.',
        params: TopicParams,
        body,
        response: answers(media, success, [400, 403, 409, 413, 415], 201),
      },
      config: { caching },
    },
    async ({ caller, params, body }, reply) => {
      const { webhook, made } = await configure(deps, caller, params.topic, body)
      reply.code(201).header('location', webhookHref(webhook.topic)).header('etag', webhookEtag(webhook))
      return serializeWebhook(caller, webhook, timeZone, made)
    },
  )

  app.put<OfTopic & { Body: AppWebhookUpsert }>(
    '/appnotificaciones/:topic',
    {
      bodyLimit: 128 * KIB,
      schema: {
        tags,
        operationId: 'editarWebhook',
        summary: 'Reemplazar la configuración de un webhook',
        description: 'Un Secret nuevo firma junto al anterior durante 24 horas.',
        params: TopicParams,
        body,
        response: answers(media, success, [400, 404, 412, 413, 415]),
      },
      config: { caching },
    },
    async ({ caller, params, body, headers }, reply) => {
      const webhook = await edit(deps, caller, params.topic, body, headers['if-match'])
      reply.header('etag', webhookEtag(webhook))
      return serializeWebhook(caller, webhook, timeZone)
    },
  )

  app.delete<OfTopic>(
    '/appnotificaciones/:topic',
    {
      schema: {
        tags,
        operationId: 'eliminarWebhook',
        summary: 'Eliminar el webhook de un topic',
        params: TopicParams,
        response: acts(204, 'Eliminado', [400, 404]),
      },
    },
    async ({ caller, params }, reply) => {
      const removed = await deps.store.transaction((tx) => removeWebhook(tx, caller, params.topic))
      if (!removed) throw notFound(NOT_THERE)
      return reply.code(204).send()
    },
  )
}

function prueba(app: FastifyInstance, media: Media, deps: NotificacionesDeps): void {
  const success = { description: 'La notificación de prueba que se envía', entry: Type.Ref('AppWebhookPrueba') }
  app.post<OfTopic>(
    '/appnotificaciones/:topic/prueba',
    {
      schema: {
        tags,
        operationId: 'probarWebhook',
        summary: 'Enviar una notificación de prueba',
        description: 'Con datos de ejemplo y Prueba: true; está también en las entregas y en eventos.',
        params: TopicParams,
        response: answers(media, success, [400, 404], 202),
      },
      config: { caching },
    },
    async ({ caller, params: { topic }, headers }, reply) => {
      const id = await sendTest(deps, caller, topic, headers.traceparent?.toString())
      reply.code(202).header('location', entregaHref(topic, id))
      return serialize(pruebaEntry(topic, id))
    },
  )
}

/** With the ETag of a GET, so that the client can edit again. */
const serializeWebhook = (...shown: Parameters<typeof webhookEntry>): Buffer =>
  withVersionEtag(Buffer.from(serialize(webhookEntry(...shown))), webhookEtag(shown[1]))

const serialize = (value: object): string => JSON.stringify(value)
