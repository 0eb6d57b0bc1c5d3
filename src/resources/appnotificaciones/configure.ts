import type { App } from '../../apps/app.ts'
import { conflict, forbidden, invalid } from '../../http/problems.ts'
import { addWebhook, isAvailable, type Webhook } from '../../webhooks/subscriptions.ts'
import type { NotificacionesDeps } from './deps.ts'
import type { AppWebhookUpsert } from './schema.ts'
import { newSecret, secretFaults, settingsFaults, settingsOf } from './settings.ts'

/** A topic's first configuration; a secret that we made is given along, to be shown this once. */
export async function configure(
  deps: NotificacionesDeps,
  app: App,
  topic: string,
  body: AppWebhookUpsert,
): Promise<{ webhook: Webhook; made?: string }> {
  if (!isAvailable(app, topic))
    throw forbidden('La app no puede usar ese topic. GET /v3/appnotificaciones dice cuáles puede.')
  const settings = settingsOf(body)
  const made = body.Secret === undefined ? newSecret() : undefined
  const secret = made ?? body.Secret ?? null
  const faults = { ...settingsFaults(deps, app, settings), ...secretFaults(secret) }
  if (Object.keys(faults).length > 0) throw invalid(faults)

  const webhook = await addWebhook(deps.store, deps.seal, app, topic, { ...settings, secret })
  if (!webhook)
    throw conflict({ _: ['Ya está configurado.'] }, 'El topic ya está configurado: para cambiarlo, use PUT.')
  return { webhook, ...(made && { made }) }
}
