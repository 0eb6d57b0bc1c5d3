import { hash, randomBytes } from 'node:crypto'
import { useContext } from 'preact/hooks'
import type { IdempotencyKey } from '../../http/idempotency.ts'
import type { Errors } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { consentOf } from '../../resources/consultas/consent.ts'
import { COMMENT_CHARACTERS, INTERESES, LINE_CHARACTERS, PHONE_CHARACTERS } from '../../resources/consultas/person.ts'
import { MAIL_CHARACTERS } from '../../text.ts'
import { FieldFault, Form, fieldId, Hidden, useInputState } from '../fields.tsx'
import { faultsInOrder } from '../form.ts'
import { Fields, type FormFields, labelsOf } from '../form-fields.tsx'
import { BrandContext } from '../page.ts'

const nameFields = () =>
  ({
    Nombre: { label: t('aviso.form.firstName'), max: LINE_CHARACTERS, more: { autocomplete: 'given-name' } },
    Apellido: {
      label: t('aviso.form.lastName'),
      optional: true,
      max: LINE_CHARACTERS,
      more: { autocomplete: 'family-name' },
    },
  }) satisfies FormFields

/** Either of them is enough. */
const contactFields = () =>
  ({
    Telefono: {
      label: t('aviso.form.phone'),
      hint: t('aviso.form.phoneHint'),
      max: PHONE_CHARACTERS,
      more: { type: 'tel', autocomplete: 'tel', inputmode: 'tel', required: false },
    },
    Email: {
      label: t('aviso.form.email'),
      max: MAIL_CHARACTERS,
      more: { type: 'email', autocomplete: 'email', inputmode: 'email', required: false },
    },
  }) satisfies FormFields

const interestFields = () =>
  ({
    Interes: {
      label: t('aviso.form.interest'),
      choices: INTERESES.map((each) => [each, t(`aviso.form.interest.${each}`)] as const),
    },
    Comentario: { label: t('aviso.form.message'), optional: true, rows: 4, max: COMMENT_CHARACTERS },
  }) satisfies FormFields

const NAMES = ['Nombre', 'Apellido', 'Telefono', 'Email', 'Interes', 'Comentario'] as const
type FieldName = (typeof NAMES)[number]

const labelsOfForm = () => ({
  ...labelsOf({ ...nameFields(), ...contactFields(), ...interestFields() }),
  Consentimiento: t('aviso.form.consent'),
})

export type InquiryValues = Record<FieldName, string> & {
  /** The version of the text that was agreed to; empty: not yet. */
  Consentimiento: string
  /** Identifies the form, so that sending it twice makes one inquiry. */
  Envio: string
}

/** People do not see this field, so only bots fill it in. */
export const HONEYPOT = 'Web'

const ENVIO = /^[\w-]{22}$/

/** The posted values; of a new form, no others than the usual interest. */
export const postedValues = (form: URLSearchParams = new URLSearchParams({ Interes: 'compra' })): InquiryValues => {
  const value = (name: string) => form.get(name) ?? ''
  const values = Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<FieldName, string>
  const Envio = ENVIO.test(value('Envio')) ? value('Envio') : randomBytes(16).toString('base64url')
  return { ...values, Consentimiento: value('Consentimiento'), Envio }
}

/** A form sent twice unchanged is one inquiry; changed, it is another. */
export function keyFor(publicacion: number, { Envio, ...values }: InquiryValues): IdempotencyKey {
  const digest = hash('sha256', JSON.stringify([publicacion, values]), 'hex')
  return { value: `${Envio}.${digest.slice(0, 32)}`, digest: Buffer.from(digest, 'hex') }
}

export const inAvisoOrder = (errors: Errors): Errors => faultsInOrder(errors, [...NAMES, 'Consentimiento'])

export interface InquiryFormProps {
  action: string
  values: InquiryValues
  errors?: Errors | undefined
}

export const InquiryForm = ({ action, values, errors }: InquiryFormProps) => (
  <Form
    action={action}
    class="sheet"
    button={t('aviso.form.send')}
    given={values}
    errors={errors}
    labels={labelsOfForm()}
  >
    <Fields fields={nameFields()} />
    <fieldset class="either">
      <legend>{t('aviso.form.howToAnswer')}</legend>
      <p class="hint">{t('aviso.form.either')}</p>
      <Fields fields={contactFields()} />
    </fieldset>
    <Fields fields={interestFields()} />
    <Consent given={values.Consentimiento} />
    <Trap />
    <Hidden values={{ Envio: values.Envio }} />
  </Form>
)

/** Never preselected; its value is the version of the text. */
function Consent({ given }: { given: string }) {
  const { version, texto } = consentOf(useContext(BrandContext).nombre)
  return (
    <div class="tick consent">
      <input
        type="checkbox"
        id={fieldId('Consentimiento')}
        name="Consentimiento"
        value={version}
        checked={given === version}
        {...useInputState({ name: 'Consentimiento' })}
      />
      <label for={fieldId('Consentimiento')}>{texto}</label>
      <FieldFault name="Consentimiento" />
    </div>
  )
}

/** A field for bots, which fill in everything; hidden from people and screen readers. */
const Trap = () => (
  <div class="visually-hidden" aria-hidden="true">
    <label for={fieldId(HONEYPOT)}>{t('aviso.form.trap')}</label>
    <input id={fieldId(HONEYPOT)} name={HONEYPOT} tabindex={-1} autocomplete="off" />
  </div>
)
