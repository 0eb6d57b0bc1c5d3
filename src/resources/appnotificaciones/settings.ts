import { randomBytes } from 'node:crypto'
import type { App } from '../../apps/app.ts'
import type { Errors } from '../../http/problems.ts'
import type { Settings } from '../../webhooks/subscriptions.ts'
import { callbackRules, refuseTarget } from '../../webhooks/target.ts'
import type { NotificacionesDeps } from './deps.ts'
import { headerFaults } from './headers.ts'
import type { AppWebhookUpsert } from './schema.ts'

const SECRET_BYTES = 32
const KEY_PREFIX = 'whsec_' // Standard Webhooks: what follows is base64
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/ // not `_`, which stands for `/` in another form
const MASKED = /^\*{8}.{4}$/su
const WITH_HOST = /^https?:\/\/[^/]/i // `https:///x` is an address to URL, whose host would be x

/** What a body decides; what it leaves out is null (decisions, 3). */
export const settingsOf = (body: AppWebhookUpsert): Settings => ({
  callback: body.Callback,
  description: body.Description?.trim() || null,
  activo: body.Activo ?? true,
  headers: [body.HeaderCustom01 ?? null, body.HeaderCustom02 ?? null, body.HeaderCustom03 ?? null],
})

/** What is wrong with it beyond its form; the secret aside, about which POST and PUT differ. */
export function settingsFaults({ config }: NotificacionesDeps, app: App, { callback, headers }: Settings): Errors {
  const refused =
    WITH_HOST.test(callback) && URL.canParse(callback)
      ? refuseTarget(new URL(callback), callbackRules(config, app.privateCallbacks))
      : 'Debe ser una dirección https.'
  return { ...(refused && { Callback: [refused] }), ...headerFaults(headers) }
}

/** What is wrong with a new secret. */
export function secretFaults(secret: string | null): Errors {
  if (secret === null) return {}
  if (isMasked(secret)) return { Secret: ['No es el Secret que está configurado.'] }
  const key = secret.startsWith(KEY_PREFIX) ? secret.slice(KEY_PREFIX.length) : undefined
  return key === undefined || BASE64.test(key) ? {} : { Secret: ['Después de whsec_ debe seguir base64.'] }
}

export const isMasked = (secret: string): boolean => MASKED.test(secret)

export const newSecret = (): string => KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
