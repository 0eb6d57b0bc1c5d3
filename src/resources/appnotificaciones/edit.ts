import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../apps/app.ts'
import { namesEtagStrongly } from '../../http/etag.ts'
import { changedSinceRead, invalid, notFound } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import {
  changeSecret,
  changeSettings,
  discardPending,
  findWebhook,
  isAvailable,
  lockWebhook,
  openSecretOf,
  resetHealth,
  type Settings,
  type Webhook,
} from '../../webhooks/subscriptions.ts'
import type { NotificacionesDeps } from './deps.ts'
import { masked, webhookEtag } from './represent.ts'
import type { AppWebhookUpsert } from './schema.ts'
import { secretFaults, settingsFaults, settingsOf } from './settings.ts'

export const NOT_THERE =
  'El topic no está disponible para la app, o nunca se configuró. GET /v3/appnotificaciones dice cuáles hay; POST configura uno.'

/** The webhook of an app for a topic it may use. */
export async function visibleWebhook(
  { store, seal }: Pick<NotificacionesDeps, 'store' | 'seal'>,
  app: App,
  topic: string,
): Promise<Webhook> {
  const webhook = isAvailable(app, topic) ? await findWebhook(store, seal, app, topic) : undefined
  if (!webhook) throw notFound(NOT_THERE)
  return webhook
}

/**
 * Replaces a configuration. Switched off, what waits is discarded; switched on after it was off, or led elsewhere, it
 * begins with a clean record: time that it was off is no time that it failed. Refusals in the house's order: form, 404, 412, meaning.
 */
export async function edit(
  deps: NotificacionesDeps,
  app: App,
  topic: string,
  body: AppWebhookUpsert,
  ifMatch?: string,
): Promise<Webhook> {
  const { store, seal } = deps
  return store.transaction(async (tx) => {
    const before = isAvailable(app, topic) ? await lockWebhook(tx, seal, app, topic) : undefined
    if (!before) throw notFound(NOT_THERE)
    if (ifMatch !== undefined && !namesEtagStrongly(ifMatch, webhookEtag(before))) throw changedSinceRead()
    const settings = settingsOf(body)
    const secret = secretAfter(seal, before, body)
    const faults = {
      ...settingsFaults(deps, app, settings),
      ...(secret !== 'unchanged' && secretFaults(secret.value)),
    }
    if (Object.keys(faults).length > 0) throw invalid(faults)

    if (secret !== 'unchanged') await changeSecret(tx, seal, before.id, secret.value)
    await write(tx, seal, before, settings)
    return (await findWebhook(tx, seal, app, topic)) ?? before
  })
}

async function write(tx: Db, seal: Seal, before: Webhook, settings: Settings): Promise<void> {
  const { id, callback, description, activo, headers, disabledAt } = before
  if (!isDeepStrictEqual({ callback, description, activo, headers }, settings))
    await changeSettings(tx, seal, id, settings)
  const switchedOn = settings.activo && (disabledAt !== null || !activo)
  if (switchedOn || settings.callback !== callback) await resetHealth(tx, id)
  if (!settings.activo) await discardPending(tx, id)
  else tx.notify(`deliveries:${id}`)
}

/** What the body says about the secret: left out, as it was shown, or the very same leaves it as it is. */
function secretAfter(
  seal: Seal,
  before: Webhook,
  { Secret }: AppWebhookUpsert,
): 'unchanged' | { value: string | null } {
  if (Secret === undefined || Secret === masked(before)) return 'unchanged'
  return Secret === openSecretOf(seal, before) ? 'unchanged' : { value: Secret }
}
