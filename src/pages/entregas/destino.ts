import { t } from '../../i18n/messages.tsx'
import { FIRST_DESTINO } from '../../webhooks/delivery-ids.ts'
import type { Webhook } from '../../webhooks/store.ts'

/** The parameters of a list of deliveries that show those of one webhook. */
export const logFilters = ({ topic, destino }: Pick<Webhook, 'topic' | 'destino'>) => ({ topic, destino })

type Named = Pick<Webhook, 'description' | 'destino'>

/** What its app calls it, or else its number. */
export const webhookName = ({ description, destino }: Named): string =>
  description || t('entregas.destino', { destino })

/** The name as it follows the topic; nothing for a first webhook without a name. */
export const nameAfterTopic = (webhook: Named): string =>
  webhook.destino === FIRST_DESTINO && !webhook.description ? '' : ` · ${webhookName(webhook)}`
