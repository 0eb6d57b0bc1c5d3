import { type Errors, fault, invalid, Problem } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { WEBHOOKS } from '../../../resources/appnotificaciones/document.ts'
import { masked } from '../../../resources/appnotificaciones/represent.ts'
import type { ShownOnce } from '../../../resources/appnotificaciones/settings.ts'
import { MAX_DESTINOS } from '../../../webhooks/delivery-ids.ts'
import { PAYLOAD_VERSION, type Webhook } from '../../../webhooks/store.ts'
import type { Topic } from '../../../webhooks/topics.ts'
import { Area, FaultList, Field, Form, Select, Tick } from '../../fields.tsx'
import { formRoute, textField, textFields } from '../../form.ts'
import { Fields, type FormFields, labelsOf } from '../../form-fields.tsx'
import { Code, Json, PostButton, SecondaryLink, Secret } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { addPath, webhookPath } from './destino.ts'

/** Room for the texts of `AppWebhookUpsert` and the version. */
export const WEBHOOK_FORM = formRoute(5000)
/** The same with the addresses of some hundreds of agencies. */
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

type WebhookForm = Record<string, string> & { firma: Signing; Secret: string; alcance: Scope; Agencias: string }

export const EMPTY_FORM: WebhookForm = { firma: 'nueva', Secret: '', alcance: 'todas', Agencias: '' }

const HEADER_FIELDS = HEADER_NAMES.flatMap((place) => [`${place}.Name`, `${place}.Value`])
const FIELD_NAMES = ['Callback', 'Description', 'EnOrden', 'Version', ...HEADER_FIELDS]

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
      const [Name, Value] = [form[`${place}.Name`], form[`${place}.Value`]]
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

/** The field errors and status of a refused API call, for the form; rethrows any other error. */
export function formErrors(error: unknown, form: WebhookForm): { errors: Errors; status: number } {
  if (!(error instanceof Problem)) throw error
  if (error.name === 'version-distinta') return { errors: { _: [t('portal.webhooks.changed')] }, status: error.status }
  if (!error.errors) throw error
  return { errors: ofFields(error.errors, mailsIn(form)), status: error.status }
}

const ONE_AGENCY = /^Agencias\[(\d+)\]$/

/** The agencies share one field, so each of its faults begins with the address. */
function ofFields(errors: Errors, mails: readonly string[]): Errors {
  const shown: Errors = {}
  for (const [name, messages] of Object.entries(errors)) {
    const [, at] = ONE_AGENCY.exec(name) ?? []
    if (at === undefined) shown[name] = messages
    else shown.Agencias = [...(shown.Agencias ?? []), ...messages.map((each) => `${mails[Number(at)] ?? ''}: ${each}`)]
  }
  return shown
}

const fieldLabels = (): Record<string, string> => ({
  ...labelsOf(Object.assign({}, settingFields(), ...headerFields())),
  Callback: t('portal.webhooks.address'),
  Secret: t('portal.webhooks.secret'),
  Agencias: t('portal.destino.agenciesLabel'),
  Version: t('portal.destino.version'),
})

interface FieldsProps {
  form: WebhookForm
  errors?: Errors | undefined
}

function WebhookFields({ form, errors }: FieldsProps) {
  const isOpen = HEADER_FIELDS.some((name) => form[name] || errors?.[name])
  return (
    <>
      <Fields fields={settingFields()} given={form} errors={errors} />
      <details open={isOpen}>
        <summary>{t('portal.webhooks.headers')}</summary>
        <p class="hint">{t('portal.webhooks.headersHint')}</p>
        {headerFields().map((fields, at) => (
          <div key={HEADER_NAMES[at]} class="pair">
            <Fields fields={fields} given={form} errors={errors} />
          </div>
        ))}
      </details>
    </>
  )
}

const VERSIONS = Array.from({ length: PAYLOAD_VERSION }, (_, at) => String(PAYLOAD_VERSION - at))

/** What a webhook has beyond the specification: its agencies, the order, and the version of the payload. */
const RoutingFields = ({ form, errors }: FieldsProps) => (
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
        errors={errors}
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
      errors={errors}
    />
  </>
)

function SigningFields({ form, errors }: FieldsProps) {
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
        errors={errors}
        more={{ required: false, maxlength: 256, ...PLAIN_INPUT }}
      />
    </fieldset>
  )
}

interface NewProps {
  ctx: PortalContext
  topic: Topic
  form: WebhookForm
  /** Other topics without a webhook, which may use the same address. */
  others: readonly Topic[]
  also: readonly string[]
  errors?: Errors | undefined
}

export const newWebhookPage = ({ ctx, topic, form, others, also, errors }: NewProps) => (
  <PortalPage
    ctx={ctx}
    section="/webhooks"
    title={t('portal.webhooks.configureTopic', { topic })}
    faulty={errors !== undefined}
    parentLink={{ href: `${ctx.basePath}/webhooks`, label: t('portal.nav.webhooks') }}
    intro={t(`entregas.topic.${topic}`)}
  >
    <div class="with-side">
      <Form
        action={`${ctx.basePath}/webhooks/${topic}`}
        class="sheet"
        errors={errors}
        labels={fieldLabels()}
        button={t('portal.webhooks.configure')}
      >
        <WebhookFields form={form} errors={errors} />
        <SigningFields form={form} errors={errors} />
        {others.length > 0 && (
          <fieldset class="choices">
            <legend>{t('portal.webhooks.also')}</legend>
            {others.map((other) => (
              <label key={other}>
                <input type="checkbox" name="tambien" value={other} checked={also.includes(other)} />
                <code>{other}</code>
              </label>
            ))}
          </fieldset>
        )}
      </Form>
      <Sample topic={topic} />
    </div>
  </PortalPage>
)

/** The form of another webhook for a topic. */
export const newDestinoPage = ({ ctx, topic, form, errors }: Pick<NewProps, 'ctx' | 'topic' | 'form' | 'errors'>) => (
  <PortalPage
    ctx={ctx}
    section="/webhooks"
    title={t('portal.destino.addTitle', { topic })}
    faulty={errors !== undefined}
    parentLink={{ href: `${ctx.basePath}/webhooks`, label: t('portal.nav.webhooks') }}
    intro={t('portal.destino.addIntro', { max: MAX_DESTINOS })}
  >
    <Form
      action={addPath(ctx.basePath, topic)}
      class="sheet limited"
      errors={errors}
      labels={fieldLabels()}
      button={t('portal.destino.addButton')}
    >
      <WebhookFields form={form} errors={errors} />
      <RoutingFields form={form} errors={errors} />
      <SigningFields form={form} errors={errors} />
    </Form>
  </PortalPage>
)

interface EditProps extends FieldsProps {
  ctx: PortalContext
  webhook: Webhook
  title: string
  /** The configuration being changed: if it changed in between, it is not overwritten. */
  version: string
}

/** The page that changes a webhook's settings, or what its deliveries are signed with. */
export function editPage(path: 'editar' | 'secret', props: EditProps) {
  const { ctx, webhook, title, version, errors } = props
  const { secretHint } = webhook
  const href = webhookPath(ctx.basePath, webhook)
  const isSigned = secretHint !== null
  const secretTitle = isSigned ? t('portal.webhooks.changeSecret') : t('portal.webhooks.sign')
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title={path === 'editar' ? t('portal.webhooks.editTitle') : secretTitle}
      faulty={errors !== undefined}
      parentLink={{ href, label: title }}
      intro={path === 'secret' && isSigned && t('portal.webhooks.bothSign')}
    >
      <form method="post" action={`${href}/${path}`} class="sheet limited" novalidate>
        <FaultList errors={errors} labels={fieldLabels()} />
        <input type="hidden" name="version" value={version} />
        {path === 'editar' ? (
          <>
            <WebhookFields {...props} />
            <RoutingFields {...props} />
          </>
        ) : (
          <SigningFields {...props} />
        )}
        <div class="row">
          <button type="submit">{t('portal.webhooks.save')}</button>
          <SecondaryLink href={href}>{t('portal.webhooks.cancel')}</SecondaryLink>
        </div>
      </form>
    </PortalPage>
  )
}

interface CreatedProps {
  ctx: PortalContext
  topics: readonly string[]
  webhook: Webhook
  /** Of its secret, what is shown this once. */
  shown: ShownOnce
  /** Whether it replaces another, which stays valid for a day. */
  replaces?: boolean
}

/** After a configuration: shows the secret once and offers a test. */
export function createdPage({ ctx, topics, webhook, shown, replaces = false }: CreatedProps) {
  const href = webhookPath(ctx.basePath, webhook)
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title={
        shown.Secret || shown.SecretEstandar ? t('portal.webhooks.ownSecret') : t('portal.webhooks.configuredTitle')
      }
      script
      parentLink={{ href, label: webhook.topic }}
      intro={topics.length > 1 && t('portal.webhooks.servesFor', { topics: topics.join(', ') })}
    >
      {shown.Secret && (
        <Secret label={t('portal.webhooks.theSecret')} value={shown.Secret}>
          {rich('portal.webhooks.keepSecret', { link: (text) => <a href="/docs/guia/verificar">{text}</a> })}
        </Secret>
      )}
      {shown.SecretEstandar && (
        <Secret label={t('portal.webhooks.standardSecret')} value={shown.SecretEstandar}>
          {rich('portal.webhooks.keepStandard', {
            masked: <code>{masked(webhook)}</code>,
            link: (text) => <a href="/docs/guia/verificar#biblioteca">{text}</a>,
          })}
        </Secret>
      )}
      <p>{replaces ? t('portal.webhooks.bothSignNow') : t('portal.webhooks.testWhenReady')}</p>
      <div class="row">
        <PostButton action={`${href}/prueba`}>{t('portal.webhooks.sendTest')}</PostButton>
        <SecondaryLink href={href}>{t('portal.webhooks.goTo')}</SecondaryLink>
      </div>
    </PortalPage>
  )
}

export function Sample({ topic }: { topic: string }) {
  const example = WEBHOOKS[topic]?.post?.requestBody?.content['application/json']?.example
  if (example === undefined) return null
  return (
    <aside>
      <h2>{t('portal.webhooks.sample')}</h2>
      <Code label={<code>POST, application/json: {topic}</code>}>
        <Json value={example} />
      </Code>
      <p class="hint">{rich('portal.webhooks.sampleHint')}</p>
    </aside>
  )
}
