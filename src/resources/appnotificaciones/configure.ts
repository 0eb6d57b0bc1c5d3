import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../apps/app.ts'
import { namesEtagStrongly } from '../../http/encoded-body.ts'
import { changedSinceRead, conflict, fault, forbidden, notFound, refuse } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import {
  addWebhook,
  changeSecret,
  changeSettings,
  discardPending,
  findWebhook,
  isAvailable,
  isEnabled,
  lockWebhook,
  openSecretOf,
  resetHealth,
  type Settings,
  type Webhook,
} from '../../webhooks/store.ts'
import { masked, webhookEtag } from './represent.ts'
import type { AppWebhookUpsert } from './schema.ts'
import {
  type NotificacionesDeps,
  newSecret,
  type ShownOnce,
  secretFaults,
  settingsFaults,
  settingsOf,
  shownOnce,
} from './settings.ts'
import { needsVerification, sendVerification } from './verification.ts'

export interface Configured {
  webhook: Webhook
  shown: ShownOnce
}

/** Configures a topic. What to show once of its secret is returned with it. */
export async function configure(
  deps: NotificacionesDeps,
  app: App,
  topic: string,
  body: AppWebhookUpsert,
): Promise<Configured> {
  if (!isAvailable(app, topic)) throw forbidden(message('problema.topicUnavailable'), 'topic-no-disponible')
  const settings = settingsOf(body)
  const generated = body.Secret === undefined ? newSecret() : undefined
  const secret = generated ?? body.Secret ?? null
  refuse({ ...settingsFaults(deps, app, settings), ...secretFaults(secret) })

  const webhook = await deps.store.transaction(async (tx) => {
    const added = await addWebhook(tx, deps.seal, app, topic, { ...settings, secret })
    if (added && needsVerification(added)) await sendVerification(tx, deps, app, added)
    return added
  })
  if (!webhook)
    throw conflict({ _: [fault('ya-configurado', 'Ya está configurado.')] }, message('problema.topicConfigured'))
  return { webhook, shown: generated ? { Secret: generated } : shownOnce(secret) }
}

export const NOT_THERE = message('problema.topicNotThere')

/** The app's webhook for a topic it may use, or 404. */
export async function visibleWebhook(
  { store, seal }: Pick<NotificacionesDeps, 'store' | 'seal'>,
  app: App,
  topic: string,
): Promise<Webhook> {
  const webhook = isAvailable(app, topic) ? await findWebhook(store, seal, app, topic) : undefined
  if (!webhook) throw notFound(NOT_THERE)
  return webhook
}

/** Switching off discards pending deliveries. Refusals in this order: form, 404, 412, meaning. */
export async function edit(
  deps: NotificacionesDeps,
  app: App,
  topic: string,
  body: AppWebhookUpsert,
  ifMatch?: string,
): Promise<Configured> {
  const { store, seal } = deps
  return store.transaction(async (tx) => {
    const before = isAvailable(app, topic) ? await lockWebhook(tx, seal, app, topic) : undefined
    if (!before) throw notFound(NOT_THERE)
    if (ifMatch !== undefined && !namesEtagStrongly(ifMatch, webhookEtag(before))) throw changedSinceRead()
    const settings = settingsOf(body)
    const secret = secretAfter(seal, before, body)
    refuse({ ...settingsFaults(deps, app, settings), ...(secret !== 'unchanged' && secretFaults(secret.value)) })

    if (secret !== 'unchanged') await changeSecret(tx, seal, before.id, secret.value)
    await write(tx, seal, before, settings)
    const webhook = (await findWebhook(tx, seal, app, topic)) ?? before
    const isNew = webhook.callback !== before.callback || !isEnabled(before)
    if (isNew && needsVerification(webhook)) await sendVerification(tx, deps, app, webhook)
    return { webhook, shown: secret === 'unchanged' ? {} : shownOnce(secret.value) }
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

/** The new secret; unchanged if the body leaves it out, repeats it or has it masked. */
function secretAfter(seal: Seal, before: Webhook, { Secret }: AppWebhookUpsert) {
  if (Secret === undefined || Secret === masked(before)) return 'unchanged'
  return Secret === openSecretOf(seal, before) ? 'unchanged' : { value: Secret }
}
