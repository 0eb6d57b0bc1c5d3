import { randomBytes } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { App } from '../../apps/app.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { type FaultMap, fault } from '../../http/problems.ts'
import { buildValidator } from '../../http/validate.ts'
import { t } from '../../i18n/messages.tsx'
import type { Store } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import { type CallbackConfig, callbackRules, refuseTarget } from '../../webhooks/callback-rules.ts'
import { STANDARD_PREFIX, standardForm } from '../../webhooks/headers.ts'
import type { Settings } from '../../webhooks/store.ts'
import { AppWebhookDestinoUpsert, AppWebhookUpsert, HeaderCustom } from './schema.ts'

export interface NotificacionesDeps {
  store: Store
  seal: Seal
  clock: Clock
  config: Pick<Config, 'timeZone'> & CallbackConfig
}

/** Headers of the message framing or the connection (RFC 9110, 7.6.1), and those that we write. */
const RESERVED =
  /^(accept-encoding|connection|content-.*|date|expect|host|http2-settings|keep-alive|notification-.*|proxy-.*|te|trailer|transfer-encoding|traceparent|tracestate|upgrade|user-agent|via|webhook-.*)$/

export function headerFaults({ headers }: Pick<Settings, 'headers'>): FaultMap {
  const faults: FaultMap = {}
  const seen = new Set<string>()
  headers.forEach((header, place) => {
    if (!header) return
    const name = header.Name.toLowerCase()
    const key = `HeaderCustom0${place + 1}.Name`
    if (RESERVED.test(name)) faults[key] = [fault('encabezado-reservado', t('problema.fault.reserved'))]
    else if (seen.has(name)) faults[key] = [fault('repetido', t('problema.fault.repeatedHeader'))]
    seen.add(name)
  })
  return faults
}

const SECRET_BYTES = 32
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/ // standard alphabet, not base64url
const MASKED = /^\*{8}.{4}$/su
const WITH_HOST = /^https?:\/\/[^/]/i // URL would accept `https:///x` with the host x

/** The settings in a body; members left out are null (docs/decisions/webhooks.md). */
export const settingsOf = (body: AppWebhookUpsert): Settings => ({
  callback: body.Callback,
  description: body.Description?.trim() || null,
  activo: body.Activo ?? true,
  headers: [body.HeaderCustom01 ?? null, body.HeaderCustom02 ?? null, body.HeaderCustom03 ?? null],
})

export function callbackFaults(
  { config }: Pick<NotificacionesDeps, 'config'>,
  app: App,
  { callback }: Pick<Settings, 'callback'>,
): FaultMap {
  if (!WITH_HOST.test(callback) || !URL.canParse(callback))
    return { Callback: [fault('formato', t('problema.fault.https'))] }
  const refused = refuseTarget(new URL(callback), callbackRules(config, app.privateCallbacks))
  return refused ? { Callback: [fault('destino-no-permitido', refused)] } : {}
}

export function secretFaults(secret: string | null): FaultMap {
  if (secret === null) return {}
  if (MASKED.test(secret)) return { Secret: [fault('formato', t('problema.fault.otherSecret'))] }
  const key = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : undefined
  return key === undefined || BASE64.test(key) ? {} : { Secret: [fault('formato', t('problema.fault.base64'))] }
}

export const newWebhookSecret = (): string => STANDARD_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** What the answer that sets a secret shows once: one that we made, or the standard form of the app's own. */
export interface ShownOnce {
  Secret?: string
  SecretEstandar?: string
}

export const shownOnce = (own: string | null | undefined): ShownOnce =>
  own ? { SecretEstandar: standardForm(own) } : {}

const validatorOf = (schema: TSchema, url: string) =>
  buildValidator({ HeaderCustom })({ schema, method: 'PUT', url, httpPart: 'body' })
const validate = validatorOf(AppWebhookUpsert, '/v3/appnotificaciones/:topic')
const validateDestino = validatorOf(AppWebhookDestinoUpsert, '/v3/appnotificaciones/:topic/destinos/:id')

/** Validates settings from elsewhere as the API validates a body; throws all faults at once. */
export const checkedUpsert = (body: unknown): AppWebhookUpsert => accepted(validate(body))

export const checkedDestino = (body: unknown): AppWebhookDestinoUpsert => accepted(validateDestino(body))

function accepted<T>(checked: unknown): T {
  const result = checked as { value: T } | { error: Error }
  if ('error' in result) throw result.error
  return result.value
}
