import { useContext } from 'preact/hooks'
import { type Errors, fault, invalid, Problem } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { PAYLOAD_VERSION, type Webhook } from '../../../webhooks/store.ts'
import { Area, Field, FormContext, Select, type StoredValues, Tick } from '../../fields.tsx'
import { formRoute, textField, textFields } from '../../form.ts'
import { Fields, type FormFields, labelsOf } from '../../form-fields.tsx'
import { changedValues } from '../../overtaken.ts'

/** Room for the texts of `AppWebhookUpsert` and the version. */
export const WEBHOOK_FORM = formRoute(5000)
/** Has room for the addresses of some hundreds of agencies too. */
export const DESTINO_FORM = formRoute(30_000)

const PLAIN_INPUT = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const

const SCHEME = 'https://'

const settingFields = (): FormFields => ({
  Callback: {
    label: t('portal.webhooks.callback'),
    hint: t('portal.webhooks.callbackHint'),
    more: { type: 'url', inputmode: 'url', placeholder: SCHEME, maxlength: 1024, autocomplete: 'off' },
  },
  Description: {
    label: t('portal.destino.name'),
    hint: t('portal.webhooks.noteHint'),
    optional: true,
    more: { maxlength: 256, autocomplete: 'off' },
  },
})

const HEADER_NAMES = ['HeaderCustom01', 'HeaderCustom02', 'HeaderCustom03'] as const

const headerFields = (): FormFields[] =>
  HEADER_NAMES.map((place, at) => ({
    [`${place}.Name`]: {
      label: t('portal.webhooks.header', { number: at + 1 }),
      optional: true,
      more: { maxlength: 64, ...PLAIN_INPUT },
    },
    [`${place}.Value`]: {
      label: t('portal.webhooks.headerValue', { number: at + 1 }),
      optional: true,
      more: { maxlength: 1024, ...PLAIN_INPUT },
    },
  }))

/** With a secret we create, one of the app's own, or none. */
const SIGNINGS = ['nueva', 'propia', 'sin'] as const
type Signing = (typeof SIGNINGS)[number]

/** The agencies whose events it gets. */
const SCOPES = ['todas', 'algunas'] as const
type Scope = (typeof SCOPES)[number]

export type WebhookForm = Record<string, string> & { firma: Signing; Secret: string; alcance: Scope; Agencias: string }

export const EMPTY_FORM: WebhookForm = { firma: 'nueva', Secret: '', alcance: 'todas', Agencias: '' }

const HEADER_FIELDS = HEADER_NAMES.flatMap((place) => [`${place}.Name`, `${place}.Value`])
const FIELD_NAMES = ['Callback', 'Description', 'EnOrden', 'Version', 'destino', ...HEADER_FIELDS]

export const parseForm = (form: URLSearchParams): WebhookForm => ({
  ...textFields(form, FIELD_NAMES),
  firma: SIGNINGS.find((each) => each === textField(form, 'firma')) ?? 'nueva',
  Secret: form.get('Secret') ?? '',
  alcance: SCOPES.find((each) => each === textField(form, 'alcance')) ?? 'todas',
  Agencias: (form.get('Agencias') ?? '').trim(),
})

/** `mails` are the agencies of its filter; null: all. */
export const toForm = (webhook: Webhook, mails: readonly string[] | null = null): WebhookForm => ({
  ...EMPTY_FORM,
  ...settingsIn(webhook),
  alcance: mails === null ? 'todas' : 'algunas',
  Agencias: mails?.join('\n') ?? '',
  EnOrden: webhook.enOrden ? 'si' : '',
  Version: String(webhook.payloadVersion),
})

const settingsIn = ({ callback, description, headers }: Webhook) => ({
  Callback: callback,
  Description: description ?? '',
  ...Object.fromEntries(
    HEADER_NAMES.flatMap((place, at) => [
      [`${place}.Name`, headers[at]?.Name ?? ''],
      [`${place}.Value`, headers[at]?.Value ?? ''],
    ]),
  ),
})

/** The body of the API call, without the secret. A header with only a name or a value is kept, so that the API refuses it. */
export const toBody = (form: WebhookForm, activo: boolean) => ({
  Callback: form.Callback,
  Description: form.Description || null,
  Activo: activo,
  ...Object.fromEntries(
    HEADER_NAMES.map((place) => {
      const Name = form[`${place}.Name`]
      const Value = form[`${place}.Value`]
      return [place, Name || Value ? { Name, Value } : null]
    }),
  ),
})

const mailsIn = ({ Agencias }: WebhookForm): string[] => Agencias.split(/[\s,;]+/).filter(Boolean)

/** What the body of a destination has beside it. "Only some" without any is refused: it would get nothing. */
export function routingIn(form: WebhookForm) {
  const mails = form.alcance === 'algunas' ? mailsIn(form) : null
  if (mails?.length === 0) throw invalid({ Agencias: [fault('requerido', t('portal.destino.agenciesMissing'))] })
  return { Agencias: mails, EnOrden: form.EnOrden === 'si', ...(form.Version && { Version: Number(form.Version) }) }
}

/** The secret in the body; if it is absent, one is created. */
export const secretOf = ({ firma, Secret }: WebhookForm): { Secret?: string | null } =>
  firma === 'nueva' ? {} : { Secret: firma === 'sin' ? null : Secret }

/** The typed values in the form of the stored ones. */
const normalized = (form: WebhookForm): WebhookForm => ({ ...form, Agencias: mailsIn(form).join('\n') })

/** The stored values that differ from the form, after somebody else changed the webhook. */
export const changedSettings = (typed: WebhookForm, stored: WebhookForm): StoredValues =>
  changedValues(normalized(typed), stored)

/** The field errors and status of a refused API call, for the form; rethrows any other error. */
export function formErrors(error: unknown, form: WebhookForm): { errors: Errors; status: number } {
  if (!(error instanceof Problem)) throw error
  if (error.name === 'version-distinta') return { errors: { _: [t('comun.form.overtaken')] }, status: 409 }
  if (!error.errors) throw error
  return { errors: ofFields(error.errors, mailsIn(form)), status: error.status }
}

const ONE_AGENCY = /^Agencias\[(\d+)\]$/

/**
 * The agencies share one field, so each of its faults begins with the address. The API's words about a Secret allow the
 * masked one, which a form does not have.
 */
function ofFields(errors: Errors, mails: readonly string[]): Errors {
  const shown: Errors = {}
  for (const [name, messages] of Object.entries(errors)) {
    const [, at] = ONE_AGENCY.exec(name) ?? []
    if (name === 'Secret') shown.Secret = [t('portal.webhooks.signingHint.propia')]
    else if (at === undefined) shown[name] = messages
    else shown.Agencias = [...(shown.Agencias ?? []), ...messages.map((each) => `${mails[Number(at)] ?? ''}: ${each}`)]
  }
  return shown
}

export const fieldLabels = (): Record<string, string> => ({
  ...labelsOf(Object.assign({}, settingFields(), ...headerFields())),
  Callback: t('portal.webhooks.address'),
  Secret: t('portal.webhooks.secret'),
  Agencias: t('portal.destino.agenciesLabel'),
  Version: t('portal.destino.version'),
})

interface FieldsProps {
  form: WebhookForm
}

export function WebhookFields({ form }: FieldsProps) {
  const { errors, now } = useContext(FormContext)
  const isOpen = HEADER_FIELDS.some((name) => form[name] || errors?.[name] || now?.[name])
  return (
    <>
      <Fields fields={settingFields()} />
      <details open={isOpen}>
        <summary>{t('portal.webhooks.headers')}</summary>
        <p class="hint">{t('portal.webhooks.headersHint')}</p>
        {headerFields().map((fields, at) => (
          <div key={HEADER_NAMES[at]} class="pair">
            <Fields fields={fields} />
          </div>
        ))}
      </details>
    </>
  )
}

const VERSIONS = Array.from({ length: PAYLOAD_VERSION }, (_, at) => String(PAYLOAD_VERSION - at))

/** What a webhook has beyond the specification: its agencies, the order, and the version of the payload. */
export const RoutingFields = ({ form }: FieldsProps) => (
  <>
    <fieldset class="signing">
      <legend>{t('portal.destino.agencies')}</legend>
      {SCOPES.map((value) => (
        <Tick
          key={value}
          name="alcance"
          radio={value}
          label={t(`portal.destino.scope.${value}`)}
          hint={t(`portal.destino.scopeHint.${value}`)}
          checked={form.alcance === value}
        />
      ))}
      <Area
        name="Agencias"
        label={t('portal.destino.agenciesLabel')}
        hint={t('portal.destino.agenciesHint')}
        value={form.Agencias}
        more={{ rows: 3, required: false, autocapitalize: 'none', spellcheck: false }}
      />
    </fieldset>
    <Tick
      name="EnOrden"
      label={t('portal.destino.order')}
      hint={t('portal.destino.orderHint')}
      checked={form.EnOrden === 'si'}
    />
    <Select
      name="Version"
      label={t('portal.destino.version')}
      hint={t('portal.destino.versionHint')}
      choices={VERSIONS.map((each, at) => [each, at === 0 ? t('portal.destino.latest', { version: each }) : each])}
      value={form.Version}
    />
  </>
)

export function SigningFields({ form }: FieldsProps) {
  return (
    <fieldset class="signing">
      <legend>{t('portal.webhooks.signature')}</legend>
      {SIGNINGS.map((value) => (
        <Tick
          key={value}
          name="firma"
          radio={value}
          label={t(`portal.webhooks.signing.${value}`)}
          hint={t(`portal.webhooks.signingHint.${value}`)}
          checked={form.firma === value}
        />
      ))}
      <Field
        name="Secret"
        label={t('portal.webhooks.ownSecret')}
        value={form.firma === 'propia' ? form.Secret : ''}
        more={{ required: false, maxlength: 256, ...PLAIN_INPUT }}
      />
    </fieldset>
  )
}
