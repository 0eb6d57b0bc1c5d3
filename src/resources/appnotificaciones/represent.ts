import type { App } from '../../apps/app.ts'
import { toTimestamp } from '../../http/dates.ts'
import { etagOf } from '../../http/encoded-body.ts'
import { type Links, link, segment, withQuery } from '../../http/links.ts'
import { deliveryIdOf, FIRST_DESTINO, MAX_DESTINOS } from '../../webhooks/delivery-ids.ts'
import { firstOfTopics, isAvailable, isEnabled, type Webhook } from '../../webhooks/store.ts'
import { DESCRIPTIONS, isTopic, TOPICS } from '../../webhooks/topics.ts'
import type { ShownOnce } from './settings.ts'

const LIST = '/v3/appnotificaciones'
const MASK = '********' // docs/decisions/webhooks.md

export const webhookHref = (topic: string): string => `${LIST}/${segment(topic)}`
const destinosHref = (topic: string): string => `${webhookHref(topic)}/destinos`
export const destinoHref = (topic: string, destino: number): string => `${destinosHref(topic)}/${destino}`
/** Of the specification's own route, if it is the first. */
export const hrefOf = ({ topic, destino }: Pick<Webhook, 'topic' | 'destino'>): string =>
  destino === FIRST_DESTINO ? webhookHref(topic) : destinoHref(topic, destino)
export const entregasHref = (topic: string): string => `${webhookHref(topic)}/entregas`
export const reenviarHref = (topic: string): string => `${entregasHref(topic)}/reenviar`
export const entregaHref = (topic: string, id: string): string => `${entregasHref(topic)}/${id}`

export const masked = ({ secretHint }: Pick<Webhook, 'secretHint'>): string | null => secretHint && MASK + secretHint

/** The part that the ETag covers: health changes do not make another version. */
const configuration = (webhook: Webhook) => ({
  Topic: webhook.topic,
  Callback: webhook.callback,
  Secret: masked(webhook),
  Description: webhook.description,
  Activo: webhook.activo,
  HeaderCustom01: webhook.headers[0],
  HeaderCustom02: webhook.headers[1],
  HeaderCustom03: webhook.headers[2],
})

export const webhookEtag = (webhook: Webhook): string => etagOf(JSON.stringify(configuration(webhook)))

/** A webhook as its app sees it; `shown` only in the response that set its secret. */
export const webhookEntry = (app: App, webhook: Webhook, timeZone: string, shown: ShownOnce = {}) => ({
  ...configuration(webhook),
  ...shown,
  Salud: saludOf(webhook, timeZone),
  _links: { ...actions(app, webhook.topic, webhook), appnotificaciones: link(LIST) },
})

/** The settings of any of a topic's webhooks, with what it has beyond the specification. */
const destinoConfiguration = (webhook: Webhook, agencias: string[] | null) => ({
  Id: webhook.destino,
  ...configuration(webhook),
  Agencias: agencias,
  EnOrden: webhook.enOrden,
  Version: webhook.payloadVersion,
})

export const destinoEtag = (webhook: Webhook, agencias: string[] | null): string =>
  etagOf(JSON.stringify(destinoConfiguration(webhook, agencias)))

/** `agencias`: those of its filter, by mail. */
export const destinoEntry = (
  app: App,
  webhook: Webhook,
  agencias: string[] | null,
  timeZone: string,
  shown: ShownOnce = {},
) => ({
  ...destinoConfiguration(webhook, agencias),
  ...shown,
  Salud: saludOf(webhook, timeZone),
  _links: { ...actions(app, webhook.topic, webhook, webhook.destino), destinos: link(destinosHref(webhook.topic)) },
})

export const destinosList = (app: App, topic: string, entries: object[]) => ({
  _links: {
    self: link(destinosHref(topic)),
    destino: link(`${destinosHref(topic)}/{id}`),
    ...(entries.length < MAX_DESTINOS && isAvailable(app, topic) && { agregar: link(destinosHref(topic), 'POST') }),
    appnotificaciones: link(LIST),
  },
  _entries: entries,
})

const saludOf = (webhook: Webhook, timeZone: string) => ({
  Estado: estadoOf(webhook),
  FallasSeguidas: webhook.failures,
  UltimaEntrega: webhook.lastDeliveryAt && toTimestamp(webhook.lastDeliveryAt, timeZone),
  UltimoError: webhook.lastError,
})

export type SaludEstado = 'sin-entregas' | 'bien' | 'fallando' | 'deshabilitado'

export function estadoOf({ disabledAt, failures, lastDeliveryAt }: Webhook): SaludEstado {
  if (disabledAt) return 'deshabilitado'
  if (failures > 0) return 'fallando'
  return lastDeliveryAt ? 'bien' : 'sin-entregas'
}

/** The actions on a webhook, at its own address if `destino` is given. A topic withdrawn from the app can only be removed. */
function actions(app: App, topic: string, webhook: Webhook | undefined, destino?: number): Links {
  const self = destino === undefined ? webhookHref(topic) : destinoHref(topic, destino)
  const eliminar = link(self, 'DELETE')
  if (!isAvailable(app, topic)) return { eliminar }
  const entregas = link(withQuery(entregasHref(topic), { destino }))
  const destinos = link(destinosHref(topic))
  if (!webhook) return { configurar: link(self, 'POST'), entregas, destinos }
  return {
    self: link(self),
    editar: link(self, 'PUT'),
    eliminar,
    ...(isEnabled(webhook) && { prueba: link(withQuery(`${webhookHref(topic)}/prueba`, { destino }), 'POST') }),
    entregas,
    ...(isEnabled(webhook) && {
      reenviar: link(withQuery(reenviarHref(topic), { estado: 'fallida', destino }), 'POST'),
    }),
    destinos,
  }
}

/** The topics that the app may use, and withdrawn ones that are still configured, each with its first webhook. */
export function topicsList(app: App, all: Webhook[], timeZone: string) {
  const webhooks = firstOfTopics(all)
  const byTopic = new Map(webhooks.map((webhook) => [webhook.topic, webhook]))
  const known = TOPICS.filter((topic) => isAvailable(app, topic) || byTopic.has(topic))
  const former = webhooks.map(({ topic }) => topic).filter((topic) => !isTopic(topic))
  return {
    _links: { self: link(LIST), appnotificacion: link(`${LIST}/{topic}`), eventos: link('/v3/eventos') },
    _entries: [...known, ...former].map((topic) => {
      const webhook = byTopic.get(topic)
      return {
        Topic: topic,
        Descripcion: isTopic(topic) ? DESCRIPTIONS[topic] : '',
        Configurado: webhook !== undefined,
        Webhook: webhook ? webhookEntry(app, webhook, timeZone) : null,
        _links: actions(app, topic, webhook),
      }
    }),
  }
}

export const pruebaEntry = (topic: string, id: string, destino: number) => ({
  Id: id,
  _links: {
    entrega: link(entregaHref(topic, deliveryIdOf(id, destino))),
    webhook: link(hrefOf({ topic, destino })),
  },
})
