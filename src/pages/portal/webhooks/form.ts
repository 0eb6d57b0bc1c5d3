import type { HeaderCustom, Settings, Webhook } from '../../../webhooks/subscriptions.ts'
import { formRoute, line } from '../../form.ts'

/** The texts of `AppWebhookUpsert`: address, description, three headers, a secret; and the version that was read. */
export const WEBHOOK_FORM = formRoute(5000)

export const HEADER_PLACES = ['HeaderCustom01', 'HeaderCustom02', 'HeaderCustom03'] as const

/** How its deliveries are signed: with a secret we make, with one of the app's, or not at all. */
export const SIGNINGS = ['nueva', 'propia', 'sin'] as const
export type Signing = (typeof SIGNINGS)[number]

/** A webhook as the form has it, field by field. */
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
  headers: HEADER_PLACES.map(() => ({ Name: '', Value: '' })),
  firma: 'nueva',
  Secret: '',
}

export function formFrom(form: URLSearchParams): WebhookForm {
  const firma = SIGNINGS.find((each) => each === line(form, 'firma')) ?? 'nueva'
  return {
    Callback: line(form, 'Callback'),
    Description: line(form, 'Description'),
    headers: HEADER_PLACES.map((place) => ({ Name: line(form, `${place}.Name`), Value: line(form, `${place}.Value`) })),
    firma,
    Secret: form.get('Secret') ?? '',
  }
}

export const formOfWebhook = ({ callback, description, headers }: Webhook): WebhookForm => ({
  ...EMPTY_FORM,
  Callback: callback,
  Description: description ?? '',
  headers: headers.map((header) => header ?? { Name: '', Value: '' }),
})

/** The body of a call that says the same; of the secret what the form says of it, or nothing. */
export const bodyOf = ({ Callback, Description, headers }: WebhookForm, activo: boolean) => ({
  Callback,
  Description: Description || null,
  Activo: activo,
  ...Object.fromEntries(HEADER_PLACES.map((place, at) => [place, headerOf(headers[at])])),
})

/** The secret of such a body: left out, we make one. */
export const secretOf = ({ firma, Secret }: WebhookForm): { Secret?: string | null } =>
  firma === 'nueva' ? {} : { Secret: firma === 'sin' ? null : Secret }

/** One that was left half empty is shown as wrong, not passed by. */
const headerOf = (header: HeaderCustom | undefined): HeaderCustom | null =>
  header && (header.Name || header.Value) ? header : null

/** What a webhook says now, as a body that would change nothing of it. */
export const bodyOfWebhook = (webhook: Webhook, change: Partial<Pick<Settings, 'activo'>> = {}) =>
  bodyOf(formOfWebhook(webhook), change.activo ?? webhook.activo)
