import { type Errors, Problem } from '../../../http/problems.ts'
import { WEBHOOKS } from '../../../resources/appnotificaciones/document.ts'
import { masked, webhookEtag } from '../../../resources/appnotificaciones/represent.ts'
import type { ShownOnce } from '../../../resources/appnotificaciones/settings.ts'
import type { Webhook } from '../../../webhooks/store.ts'
import { DESCRIPTIONS, type Topic } from '../../../webhooks/topics.ts'
import { FaultList, Field, Form, Tick } from '../../fields.tsx'
import { formRoute, textField, textFields } from '../../form.ts'
import { Fields, type FormFields, labelsOf } from '../../form-fields.tsx'
import { Code, Json, PostButton, SecondaryLink, Secret } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'

/** Room for the texts of `AppWebhookUpsert` and the version. */
export const WEBHOOK_FORM = formRoute(5000)

const PLAIN_INPUT = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const

const SETTINGS: FormFields<'Callback' | 'Description'> = {
  Callback: {
    label: 'Dirección de su servidor',
    hint: 'Una dirección https que conteste 2xx en 15 segundos. Conteste primero y trabaje después.',
    more: { type: 'url', inputmode: 'url', placeholder: 'https://', maxlength: 1024, autocomplete: 'off' },
  },
  Description: {
    label: 'Nota',
    hint: 'Para reconocerlo: de qué sistema es, quién lo cuida.',
    optional: true,
    more: { maxlength: 256, autocomplete: 'off' },
  },
}

const HEADER_NAMES = ['HeaderCustom01', 'HeaderCustom02', 'HeaderCustom03'] as const

const HEADERS: FormFields[] = HEADER_NAMES.map((place, at) => ({
  [`${place}.Name`]: { label: `Encabezado ${at + 1}`, optional: true, more: { maxlength: 64, ...PLAIN_INPUT } },
  [`${place}.Value`]: {
    label: `Valor del encabezado ${at + 1}`,
    optional: true,
    more: { maxlength: 1024, ...PLAIN_INPUT },
  },
}))

/** With a secret we create, one of the app's own, or none. */
const SIGNINGS = ['nueva', 'propia', 'sin'] as const
type Signing = (typeof SIGNINGS)[number]

type WebhookForm = Record<string, string> & { firma: Signing; Secret: string }

export const EMPTY_FORM: WebhookForm = { firma: 'nueva', Secret: '' }

const FIELDS: FormFields = Object.assign({}, SETTINGS, ...HEADERS)

export const parseForm = (form: URLSearchParams): WebhookForm => ({
  ...textFields(form, Object.keys(FIELDS)),
  firma: SIGNINGS.find((each) => each === textField(form, 'firma')) ?? 'nueva',
  Secret: form.get('Secret') ?? '',
})

export const toForm = ({ callback, description, headers }: Webhook): WebhookForm => ({
  ...EMPTY_FORM,
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

/** The secret in the body; if it is absent, one is created. */
export const secretOf = ({ firma, Secret }: WebhookForm): { Secret?: string | null } =>
  firma === 'nueva' ? {} : { Secret: firma === 'sin' ? null : Secret }

const CHANGED = 'Alguien cambió el webhook mientras tanto: esto es lo que dice ahora. Repita su cambio y guarde.'

/** The field errors and status of a refused API call, for the form; rethrows any other error. */
export function formErrors(error: unknown): { errors: Errors; status: number } {
  if (!(error instanceof Problem)) throw error
  if (error.name === 'version-distinta') return { errors: { _: [CHANGED] }, status: error.status }
  if (!error.errors) throw error
  return { errors: error.errors, status: error.status }
}

const LABELS: Record<string, string> = {
  ...labelsOf(FIELDS),
  Callback: 'Dirección',
  Secret: 'Secret',
}

interface FieldsProps {
  form: WebhookForm
  errors?: Errors | undefined
}

function WebhookFields({ form, errors }: FieldsProps) {
  const isOpen = Object.keys(FIELDS).some((name) => name.startsWith('HeaderCustom') && (form[name] || errors?.[name]))
  return (
    <>
      <Fields fields={SETTINGS} given={form} errors={errors} />
      <details open={isOpen}>
        <summary>Encabezados propios</summary>
        <p class="hint">Hasta tres, que acompañan cada notificación: una clave de su puerta de entrada, por ejemplo.</p>
        {HEADERS.map((fields, at) => (
          <div key={HEADER_NAMES[at]} class="pair">
            <Fields fields={fields} given={form} errors={errors} />
          </div>
        ))}
      </details>
    </>
  )
}

const CHOICES: [Signing, string, string][] = [
  ['nueva', 'Crear un Secret seguro', 'Recomendado. Se muestra una sola vez, en la página que sigue.'],
  ['propia', 'Usar el mío', 'De 16 a 256 caracteres; si empieza con whsec_, lo que sigue es base64.'],
  ['sin', 'Sin firma', 'Su servidor no podrá saber si una notificación es nuestra. Solo para probar.'],
]

function SigningFields({ form, errors }: FieldsProps) {
  return (
    <fieldset class="signing">
      <legend>Firma</legend>
      {CHOICES.map(([value, label, hint]) => (
        <Tick key={value} name="firma" radio={value} label={label} hint={hint} checked={form.firma === value} />
      ))}
      <Field
        name="Secret"
        label="Su Secret"
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
    title={`Configurar ${topic}`}
    faulty={errors !== undefined}
    parentLink={{ href: `${ctx.basePath}/webhooks`, label: 'Webhooks' }}
    intro={DESCRIPTIONS[topic]}
  >
    <div class="with-side">
      <Form
        action={`${ctx.basePath}/webhooks/${topic}`}
        class="sheet"
        errors={errors}
        labels={LABELS}
        button="Configurar"
      >
        <WebhookFields form={form} errors={errors} />
        <SigningFields form={form} errors={errors} />
        {others.length > 0 && (
          <fieldset class="choices">
            <legend>Usar la misma dirección también para</legend>
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

/** The page that changes a webhook's settings, or what its deliveries are signed with. */
export function editPage(path: 'editar' | 'secret', props: FieldsProps & { ctx: PortalContext; webhook: Webhook }) {
  const { ctx, webhook, errors } = props
  const { topic, secretHint } = webhook
  const href = `${ctx.basePath}/webhooks/${topic}`
  const isSigned = secretHint !== null
  const secretTitle = isSigned ? 'Cambiar el Secret' : 'Firmar las notificaciones'
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title={path === 'editar' ? 'Editar el webhook' : secretTitle}
      faulty={errors !== undefined}
      parentLink={{ href, label: topic }}
      intro={path === 'secret' && isSigned && BOTH_SIGN}
    >
      <form method="post" action={`${href}/${path}`} class="sheet limited" novalidate>
        <FaultList errors={errors} labels={LABELS} />
        {/* The configuration being changed: if it changed in between, it is not overwritten. */}
        <input type="hidden" name="version" value={webhookEtag(webhook)} />
        {path === 'editar' ? <WebhookFields {...props} /> : <SigningFields {...props} />}
        <div class="row">
          <button type="submit">Guardar</button>
          <SecondaryLink href={href}>Cancelar</SecondaryLink>
        </div>
      </form>
    </PortalPage>
  )
}

const BOTH_SIGN =
  'El anterior sigue firmando junto al nuevo durante 24 horas, para que lo cambie en su servidor sin perder notificaciones.'

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
  const [topic = ''] = topics
  const href = `${ctx.basePath}/webhooks/${topic}`
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title={shown.Secret || shown.SecretEstandar ? 'Su Secret' : 'El webhook está configurado'}
      script
      parentLink={{ href, label: topic }}
      intro={topics.length > 1 && `Sirve para ${topics.join(', ')}.`}
    >
      {shown.Secret && (
        <Secret label="El Secret" value={shown.Secret}>
          Guárdelo ahora: no se vuelve a mostrar. Con él su servidor comprueba que cada notificación es nuestra.{' '}
          <a href="/docs/guia/verificar">Cómo se comprueba</a>
        </Secret>
      )}
      {shown.SecretEstandar && (
        <Secret label="Su Secret, en la forma de Standard Webhooks" value={shown.SecretEstandar}>
          Es <code>{masked(webhook)}</code>, como lo esperan las bibliotecas de Standard Webhooks. Guárdelo ahora: no se
          vuelve a mostrar. Si su servidor comprueba la firma sin ellas, puede usar el suyo tal como lo escribió.{' '}
          <a href="/docs/guia/verificar#biblioteca">Cómo se comprueba</a>
        </Secret>
      )}
      {replaces ? (
        <p>
          Durante 24 horas cada notificación va firmada con los dos, el anterior y este: cámbielo en su servidor sin
          apuro.
        </p>
      ) : (
        <p>Cuando su servidor esté listo, envíele una notificación de prueba y vea qué contesta.</p>
      )}
      <div class="row">
        <PostButton action={`${href}/prueba`}>Enviar una notificación de prueba</PostButton>
        <SecondaryLink href={href}>Ir al webhook</SecondaryLink>
      </div>
    </PortalPage>
  )
}

export function Sample({ topic }: { topic: string }) {
  const example = WEBHOOKS[topic]?.post?.requestBody?.content['application/json']?.example
  if (example === undefined) return null
  return (
    <aside>
      <h2>Lo que llega</h2>
      <Code label={`POST, application/json: ${topic}`}>
        <Json value={example} />
      </Code>
      <p class="hint">
        El <code>Id</code> es el mismo en cada intento y reenvío: guárdelo para no procesar dos veces la misma
        notificación.
      </p>
    </aside>
  )
}
