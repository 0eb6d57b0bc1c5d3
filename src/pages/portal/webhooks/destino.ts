import { withQuery } from '../../../http/links.ts'
import { t } from '../../../i18n/messages.tsx'
import { FIRST_DESTINO, webhookSubpath } from '../../../webhooks/delivery-ids.ts'
import type { Webhook } from '../../../webhooks/store.ts'
import { logFilters, webhookName } from '../../entregas/destino.ts'

type Numbered = Pick<Webhook, 'topic' | 'destino'>

/** A webhook's page; the first one of a topic has the topic's. */
export const webhookPath = (basePath: string, webhook: Numbered): string =>
  `${basePath}/webhooks/${webhookSubpath(webhook)}`

export const addPath = (basePath: string, topic: string): string => `${basePath}/webhooks/${topic}/destinos`

export const logPath = (basePath: string, webhook: Numbered, estado?: string): string =>
  withQuery(`${basePath}/entregas`, { ...logFilters(webhook), estado })

/** Its topic, and its name unless it is the topic's only one. */
export const webhookTitle = (webhook: Webhook, all: readonly Webhook[]): string =>
  webhook.destino === FIRST_DESTINO && all.filter(({ topic }) => topic === webhook.topic).length <= 1
    ? webhook.topic
    : t('portal.destino.of', { topic: webhook.topic, name: webhookName(webhook) })
