import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../apps/app.ts'
import { namesEtagStrongly } from '../../http/encoded-body.ts'
import {
  changedSinceRead,
  conflict,
  type FaultMap,
  fault,
  forbidden,
  invalid,
  notFound,
  refuse,
} from '../../http/problems.ts'
import { message, t } from '../../i18n/messages.tsx'
import type { Db, Joining } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import { FIRST_DESTINO, MAX_DESTINOS } from '../../webhooks/delivery-ids.ts'
import {
  addWebhook,
  changeRouting,
  changeSecret,
  changeSettings,
  discardPending,
  findWebhook,
  isAvailable,
  isEnabled,
  isNewWebhook,
  lockWebhook,
  openSecretOf,
  PAYLOAD_VERSION,
  type Routing,
  removeWebhook,
  resetHealth,
  type Settings,
  type Webhook,
  type WebhookTarget,
} from '../../webhooks/store.ts'
import { findAssociated, stillAssociated } from '../agencias/read.ts'
import { destinoEtag, masked, webhookEtag } from './represent.ts'
import type { AppWebhookDestinoUpsert, AppWebhookUpsert } from './schema.ts'
import {
  callbackFaults,
  headerFaults,
  type NotificacionesDeps,
  newWebhookSecret,
  type ShownOnce,
  secretFaults,
  settingsOf,
  shownOnce,
} from './settings.ts'
import { needsVerification, sendVerification } from './verification.ts'

export interface Configured {
  webhook: Webhook
  shown: ShownOnce
  /** True if the same form had added it before. */
  isRepeated?: boolean
}

/** Configures a topic's first webhook; 409 if there is one. What to show once of its secret is returned with it. */
export async function configure(
  deps: NotificacionesDeps,
  target: WebhookTarget,
  body: AppWebhookUpsert,
): Promise<Configured> {
  const added = await add(deps, target, body, async () => ({ destino: FIRST_DESTINO }))
  if (!added)
    throw conflict({ _: [fault('ya-configurado', 'Ya está configurado.')] }, message('problema.topicConfigured'))
  return added
}

/** `configure` for a form, which a double click sends twice: both answers show the secret. Undefined if there is another. */
export async function configureOnce(
  deps: Joining<NotificacionesDeps>,
  target: WebhookTarget,
  body: AppWebhookUpsert,
): Promise<Configured | undefined> {
  const added = await add(deps, target, body, async () => ({ destino: FIRST_DESTINO }))
  return added ?? repeated(deps, target, body)
}

/** Adds a webhook to a topic, with the first free number. */
export async function addDestino(
  deps: Joining<NotificacionesDeps>,
  target: WebhookTarget,
  body: AppWebhookDestinoUpsert,
): Promise<Configured> {
  const added = await add(deps, target, body, (tx) => routingOf(tx, target.app, body, PAYLOAD_VERSION))
  if (!added) throw invalid({ _: [fault('limite-de-destinos', t('problema.fault.destinos', { max: MAX_DESTINOS }))] })
  return added
}

/**
 * `addDestino` for a form that was shown with the number that was free then. Sent twice, as by a double click, it adds one webhook,
 * and both answers show its secret: the browser shows the second.
 */
export async function addDestinoOnce(
  deps: Joining<NotificacionesDeps>,
  target: WebhookTarget & { destino: number },
  body: AppWebhookDestinoUpsert,
): Promise<Configured> {
  const { app, destino } = target
  const routing = (tx: Db) => routingOf(tx, app, body, PAYLOAD_VERSION)
  const added = await add(deps, target, body, async (tx) => ({ ...(await routing(tx)), destino }))
  // Where it is not repeated, somebody else took the number.
  return added ?? (await repeated(deps, target, body)) ?? addDestino(deps, target, body)
}

/** The webhook that the same form added a moment ago, with its secret. */
async function repeated(
  { store, seal }: Joining<NotificacionesDeps>,
  target: WebhookTarget,
  body: AppWebhookDestinoUpsert,
): Promise<Configured | undefined> {
  const webhook = await findWebhook(store, seal, target)
  const secret = webhook && openSecretOf(seal, webhook)
  const isRepeated =
    webhook !== undefined &&
    (await isNewWebhook(store, webhook)) &&
    isDeepStrictEqual(settingsIn(webhook), settingsOf(body)) &&
    isDeepStrictEqual(routingIn(webhook), await routingOf(store, target.app, body, PAYLOAD_VERSION)) &&
    (body.Secret === undefined ? typeof secret === 'string' : secret === body.Secret)
  if (!isRepeated) return undefined
  return { webhook, shown: body.Secret === undefined && secret ? { Secret: secret } : shownOnce(secret), isRepeated }
}

/** `more` gives the number and what else the webhook has beyond the specification's settings. */
async function add(
  deps: Joining<NotificacionesDeps>,
  { app, topic }: WebhookTarget,
  body: AppWebhookUpsert,
  more: (tx: Db) => Promise<Partial<Routing> & { destino?: number }>,
): Promise<Configured | undefined> {
  if (!isAvailable(app, topic)) throw forbidden(message('problema.topicUnavailable'), 'topic-no-disponible')
  const settings = settingsOf(body)
  const generated = body.Secret === undefined ? newWebhookSecret() : undefined
  const secret = generated ?? body.Secret ?? null
  refuse({ ...callbackFaults(deps, app, settings), ...headerFaults(settings), ...secretFaults(secret) })

  const webhook = await deps.store.transaction(async (tx) => {
    const added = await addWebhook(tx, deps.seal, app, topic, { ...settings, ...(await more(tx)), secret })
    if (added && needsVerification(added)) await sendVerification(tx, deps, app, added)
    return added
  })
  return webhook && { webhook, shown: generated ? { Secret: generated } : shownOnce(secret) }
}

export const NOT_THERE = message('problema.topicNotThere')

const NO_DESTINO = message('problema.noDestino')

const notThere = ({ destino = FIRST_DESTINO }: WebhookTarget) =>
  notFound(destino === FIRST_DESTINO ? NOT_THERE : NO_DESTINO)

/** One of the app's webhooks for a topic it may use, or 404 as `missing` says it. */
export async function visibleWebhook(
  { store, seal }: { store: Db; seal: Seal },
  target: WebhookTarget,
  missing = notThere,
): Promise<Webhook> {
  const webhook = isAvailable(target.app, target.topic) ? await findWebhook(store, seal, target) : undefined
  if (!webhook) throw missing(target)
  return webhook
}

export async function remove({ store }: NotificacionesDeps, target: WebhookTarget): Promise<void> {
  const removed = await store.transaction((tx) => removeWebhook(tx, target))
  if (!removed) throw notThere(target)
}

/** What a body says beyond the specification; 400 if it names an agency that the app does not see. */
async function routingOf(tx: Db, app: App, body: AppWebhookDestinoUpsert, present: number): Promise<Routing> {
  const { Agencias, EnOrden, Version } = body
  const mails = Agencias?.map((mail) => mail.toLowerCase())
  const agencias = mails && (await findAssociated(tx, app, mails))
  const faults: FaultMap = {}
  mails?.forEach((mail, at) => {
    if (!agencias?.has(mail)) faults[`Agencias[${at}]`] = [fault('inexistente', t('problema.noAgencyForApp'))]
  })
  if (Version && Version > PAYLOAD_VERSION) faults.Version = [fault('opcion', `Debe ser ${PAYLOAD_VERSION}.`)]
  refuse(faults)
  return {
    agencias: agencias ? [...new Set([...agencias.values()].map(({ id }) => id))] : null,
    enOrden: EnOrden ?? false,
    payloadVersion: Version ?? present,
  }
}

interface EditOptions {
  ifMatch?: string | undefined
  /** The version that `ifMatch` names. */
  etagOf?: (tx: Db, webhook: Webhook) => Promise<string>
  /** What the body says beyond the specification, where it is not that of the specification's route. */
  routing?: (tx: Db, before: Webhook) => Promise<Routing>
}

/** Edits a webhook by its number, including members beyond the specification. */
export const editDestino = (
  deps: Joining<NotificacionesDeps>,
  target: WebhookTarget,
  body: AppWebhookDestinoUpsert,
  ifMatch: string | undefined,
): Promise<Configured> =>
  edit(deps, target, body, {
    ifMatch,
    etagOf: async (tx, webhook) => destinoEtag(webhook, await mailsOf(tx, target.app, webhook)),
    routing: (tx, { payloadVersion }) => routingOf(tx, target.app, body, payloadVersion),
  })

/** Edits a webhook: switching it off discards pending deliveries. Refusals in this order: form, 404, 412, meaning. */
export async function edit(
  deps: Joining<NotificacionesDeps>,
  target: WebhookTarget,
  body: AppWebhookUpsert,
  { ifMatch, etagOf = async (_tx, before) => webhookEtag(before), routing }: EditOptions,
): Promise<Configured> {
  const { store, seal } = deps
  const { app, topic } = target
  return store.transaction(async (tx) => {
    const before = isAvailable(app, topic) ? await lockWebhook(tx, seal, target) : undefined
    if (!before) throw notThere(target)
    if (ifMatch !== undefined && !namesEtagStrongly(ifMatch, await etagOf(tx, before))) throw changedSinceRead()
    const settings = settingsOf(body)
    const secret = secretAfter(seal, before, body)
    // A webhook whose address is no longer allowed can still be switched off; nothing is sent to it.
    const isNew = settings.callback !== before.callback || (settings.activo && !isEnabled(before))
    refuse({
      ...(isNew && callbackFaults(deps, app, settings)),
      ...headerFaults(settings),
      ...(secret !== 'unchanged' && secretFaults(secret.value)),
    })

    if (secret !== 'unchanged') await changeSecret(tx, seal, before.id, secret.value)
    const changed = await routing?.(tx, before)
    await write(tx, seal, before, settings)
    if (changed && !isDeepStrictEqual(changed, routingIn(before))) await changeRouting(tx, before, changed)
    const webhook = (await findWebhook(tx, seal, target)) ?? before
    if (isNew && needsVerification(webhook)) await sendVerification(tx, deps, app, webhook)
    return { webhook, shown: secret === 'unchanged' ? {} : shownOnce(secret.value) }
  })
}

const settingsIn = ({ callback, description, activo, headers }: Webhook): Settings => ({
  callback,
  description,
  activo,
  headers,
})

const routingIn = ({ agencias, enOrden, payloadVersion }: Webhook): Routing => ({ agencias, enOrden, payloadVersion })

async function write(tx: Db, seal: Seal, before: Webhook, settings: Settings): Promise<void> {
  const { id, callback, activo, disabledAt } = before
  if (!isDeepStrictEqual(settingsIn(before), settings)) await changeSettings(tx, seal, id, settings)
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

/** The agencies of a webhook's filter that the app still sees, by mail; null: all. */
export async function mailsOf(db: Db, app: App, { agencias }: Pick<Webhook, 'agencias'>): Promise<string[] | null> {
  if (agencias === null) return null
  const seen = agencias.length === 0 ? [] : await stillAssociated(db, app, agencias)
  return seen.map(({ adminMail }) => adminMail).sort()
}
