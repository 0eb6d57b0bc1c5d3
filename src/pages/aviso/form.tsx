import { hash, randomBytes } from 'node:crypto'
import type { IdempotencyKey } from '../../http/idempotency.ts'
import type { Errors } from '../../http/problems.ts'
import { consentOf } from '../../resources/consultas/consent.ts'
import { FieldFault, Form, fieldId, Hidden, inputState } from '../fields.tsx'
import { faultsInOrder } from '../form.ts'
import { Fields, type FormFields, labelsOf } from '../form-fields.tsx'
import { BrandContext } from '../page.ts'

const NAME_FIELDS = {
  Nombre: { label: 'Nombre', max: 100, more: { autocomplete: 'given-name' } },
  Apellido: { label: 'Apellido', optional: true, max: 100, more: { autocomplete: 'family-name' } },
} satisfies FormFields

/** Either of them is enough. */
const CONTACT_FIELDS = {
  Telefono: {
    label: 'Teléfono o WhatsApp',
    hint: 'Con el código de área, por ejemplo 341 555-0199.',
    max: 30,
    more: { type: 'tel', autocomplete: 'tel', inputmode: 'tel', required: false },
  },
  Email: {
    label: 'Correo',
    max: 254,
    more: { type: 'email', autocomplete: 'email', inputmode: 'email', required: false },
  },
} satisfies FormFields

const WISH_FIELDS = {
  Interes: {
    label: 'Qué le interesa',
    choices: [
      ['compra', 'Comprarlo'],
      ['financiacion', 'Financiarlo'],
      ['permuta', 'Entregar mi auto en parte de pago'],
      ['prueba-de-manejo', 'Probarlo'],
      ['otro', 'Otra cosa'],
    ],
  },
  Comentario: { label: 'Su mensaje', optional: true, rows: 4, max: 2000 },
} satisfies FormFields

const FIELDS = { ...NAME_FIELDS, ...CONTACT_FIELDS, ...WISH_FIELDS }
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]
const LABELS = { ...labelsOf(FIELDS), Consentimiento: 'Sus datos' }

export type InquiryValues = Record<keyof typeof FIELDS, string> & {
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
  const values = Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<keyof typeof FIELDS, string>
  const Envio = ENVIO.test(value('Envio')) ? value('Envio') : randomBytes(16).toString('base64url')
  return { ...values, Consentimiento: value('Consentimiento'), Envio }
}

/** A form sent twice unchanged is one inquiry; changed, it is another. */
export function keyFor(aviso: number, { Envio, ...values }: InquiryValues): IdempotencyKey {
  const digest = hash('sha256', JSON.stringify([aviso, values]), 'hex')
  return { value: `${Envio}.${digest.slice(0, 32)}`, digest: Buffer.from(digest, 'hex') }
}

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, [...NAMES, 'Consentimiento'])

export interface InquiryFormProps {
  action: string
  values: InquiryValues
  errors?: Errors | undefined
}

export const InquiryForm = ({ action, values, errors }: InquiryFormProps) => (
  <Form action={action} class="sheet" button="Enviar la consulta" errors={errors} labels={LABELS}>
    <Fields fields={NAME_FIELDS} given={values} errors={errors} />
    <fieldset class="either">
      <legend>¿Cómo le respondemos?</legend>
      <p class="hint">Deje su teléfono, su correo o los dos.</p>
      <Fields fields={CONTACT_FIELDS} given={values} errors={errors} />
    </fieldset>
    <Fields fields={WISH_FIELDS} given={values} errors={errors} />
    <Consent given={values.Consentimiento} errors={errors} />
    <Trap />
    <Hidden values={{ Envio: values.Envio }} />
  </Form>
)

/** Never preselected; its value is the version of the text. */
const Consent = ({ given, errors }: { given: string; errors: Errors | undefined }) => (
  <BrandContext.Consumer>
    {({ nombre }) => {
      const { version, texto } = consentOf(nombre)
      return (
        <div class="tick consent">
          <input
            type="checkbox"
            id={fieldId('Consentimiento')}
            name="Consentimiento"
            value={version}
            checked={given === version}
            {...inputState({ name: 'Consentimiento', errors })}
          />
          <label for={fieldId('Consentimiento')}>{texto}</label>
          <FieldFault name="Consentimiento" errors={errors} />
        </div>
      )
    }}
  </BrandContext.Consumer>
)

/** A field for bots, which fill in everything; hidden from people and screen readers. */
const Trap = () => (
  <div class="visually-hidden" aria-hidden="true">
    <label for={fieldId(HONEYPOT)}>No complete este campo</label>
    <input id={fieldId(HONEYPOT)} name={HONEYPOT} tabindex={-1} autocomplete="off" />
  </div>
)
