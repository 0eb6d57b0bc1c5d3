import { type Errors, Problem } from '../../../http/problems.ts'
import type { HeaderCustom, Settings, Webhook } from '../../../webhooks/subscriptions.ts'
import { formRoute, line } from '../../form.ts'

/** Room for the texts of `AppWebhookUpsert` and the version. */
export const WEBHOOK_FORM = formRoute(5000)

export const HEADER_NAMES = ['HeaderCustom01', 'HeaderCustom02', 'HeaderCustom03'] as const

/** With a secret we create, one of the app's own, or none. */
const SIGNINGS = ['nueva', 'propia', 'sin'] as const
export type Signing = (typeof SIGNINGS)[number]

/** The fields of the form. */
export interface WebhookForm {
  Callback: string
  Description: string
  headers: { Name: string; Value: string }[]
  firma: Signing
  Secret: string
}

export const EMPTY_FORM: WebhookForm = {
  Callback: '',
  Description: '',
  headers: HEADER_NAMES.map(() => ({ Name: '', Value: '' })),
  firma: 'nueva',
  Secret: '',
}

export function parseForm(form: URLSearchParams): WebhookForm {
  const firma = SIGNINGS.find((each) => each === line(form, 'firma')) ?? 'nueva'
  return {
    Callback: line(form, 'Callback'),
    Description: line(form, 'Description'),
    headers: HEADER_NAMES.map((place) => ({ Name: line(form, `${place}.Name`), Value: line(form, `${place}.Value`) })),
    firma,
    Secret: form.get('Secret') ?? '',
  }
}

export const toForm = ({ callback, description, headers }: Webhook): WebhookForm => ({
  ...EMPTY_FORM,
  Callback: callback,
  Description: description ?? '',
  headers: headers.map((header) => header ?? { Name: '', Value: '' }),
})

/** The body of the API call, without the secret. */
export const toBody = ({ Callback, Description, headers }: WebhookForm, activo: boolean) => ({
  Callback,
  Description: Description || null,
  Activo: activo,
  ...Object.fromEntries(HEADER_NAMES.map((place, at) => [place, headerOf(headers[at])])),
})

/** The secret in the body; if it is absent, one is created. */
export const secretOf = ({ firma, Secret }: WebhookForm): { Secret?: string | null } =>
  firma === 'nueva' ? {} : { Secret: firma === 'sin' ? null : Secret }

/** A header with only a name or a value is kept, so that the API refuses it. */
const headerOf = (header: HeaderCustom | undefined): HeaderCustom | null =>
  header && (header.Name || header.Value) ? header : null

/** The body that leaves a webhook as it is. */
export const webhookBody = (webhook: Webhook, change: Partial<Pick<Settings, 'activo'>> = {}) =>
  toBody(toForm(webhook), change.activo ?? webhook.activo)

interface FormErrors {
  errors: Errors
  status: number
}

const CHANGED = 'Alguien cambió el webhook mientras tanto: esto es lo que dice ahora. Repita su cambio y guarde.'

/** The field errors and status of a refused API call, for the form; rethrows any other error. */
export function formErrors(error: unknown): FormErrors {
  if (!(error instanceof Problem)) throw error
  if (error.name === 'version-distinta') return { errors: { _: [CHANGED] }, status: error.status }
  if (!error.errors) throw error
  return { errors: error.errors, status: error.status }
}
