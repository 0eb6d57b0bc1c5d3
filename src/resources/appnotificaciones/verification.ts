import type { App } from '../../apps/app.ts'
import { fault } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import { publishTo } from '../../webhooks/events.ts'
import { isEnabled, type Webhook } from '../../webhooks/store.ts'
import { hrefOf } from './represent.ts'
import { sampleEvent } from './samples.ts'
import type { NotificacionesDeps } from './settings.ts'

/** Why nothing is resent in bulk to an address that never answered: it may not belong to the app. */
export const unverifiedFault = () => fault('callback-sin-verificar', t('problema.fault.unverified'))

/** A new or changed callback has answered nothing yet. */
export const needsVerification = (webhook: Webhook): boolean => isEnabled(webhook) && webhook.verifiedAt === null

/** Sends a `webhook.prueba` event to a webhook with a new callback. Test mode is left out. */
export async function sendVerification(
  tx: Db,
  { clock, config }: Omit<NotificacionesDeps, 'store'>,
  app: App,
  webhook: Webhook,
): Promise<void> {
  if (app.modo === 'prueba') return
  const event = sampleEvent(app, 'webhook.prueba', clock(), config.timeZone)
  await publishTo(tx, webhook, { ...event, body: { ...event.body, Webhook: { href: hrefOf(webhook) } } })
}
