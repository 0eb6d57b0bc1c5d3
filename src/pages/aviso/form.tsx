import { hash, randomBytes } from 'node:crypto'
import type { Once } from '../../http/idempotency.ts'
import type { Errors } from '../../http/problems.ts'
import { CONSENT_TEXT, CONSENT_VERSION } from '../../resources/consultas/consent.ts'
import { Area, FaultList, Field, fieldId, Select } from '../fields.tsx'
import { faultsInOrder } from '../form.ts'

/** The fields of the form, in the order of the page. */
const FIELDS = ['Nombre', 'Apellido', 'Telefono', 'Email', 'Interes', 'Comentario'] as const

export type InquiryValues = Record<(typeof FIELDS)[number], string> & {
  /** The version of the text that was agreed to; empty: not yet. */
  Consentimiento: string
  /** Identifies the form, so that sending it twice makes one inquiry. */
  Envio: string
}

/** People do not see this field, so only bots fill it in. */
export const TRAP = 'Web'

const ENVIO = /^[\w-]{22}$/

const newEnvio = (): string => randomBytes(16).toString('base64url')

export const emptyValues = (): InquiryValues => ({
  Nombre: '',
  Apellido: '',
  Telefono: '',
  Email: '',
  Interes: 'compra',
  Comentario: '',
  Consentimiento: '',
  Envio: newEnvio(),
})

/** The posted values. */
export const postedValues = (form: URLSearchParams): InquiryValues => {
  const values = Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']))
  const Envio = form.get('Envio') ?? ''
  return {
    ...(values as Record<(typeof FIELDS)[number], string>),
    Consentimiento: form.get('Consentimiento') ?? '',
    Envio: ENVIO.test(Envio) ? Envio : newEnvio(),
  }
}

/** A form sent twice unchanged is one inquiry; changed, it is another. */
export function onceFor(aviso: number, { Envio, ...values }: InquiryValues): Once {
  const digest = hash('sha256', JSON.stringify([aviso, values]), 'hex')
  return { key: `${Envio}.${digest.slice(0, 32)}`, digest: Buffer.from(digest, 'hex') }
}

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, [...FIELDS, 'Consentimiento'])

/** The labels of the fields, on the page and in errors. */
const LABELS = {
  Nombre: 'Nombre',
  Apellido: 'Apellido',
  Telefono: 'Teléfono o WhatsApp',
  Email: 'Correo',
  Interes: 'Qué le interesa',
  Comentario: 'Su mensaje',
  Consentimiento: 'Sus datos',
}

const INTERESES = [
  ['compra', 'Comprarlo'],
  ['financiacion', 'Financiarlo'],
  ['permuta', 'Entregar mi auto en parte de pago'],
  ['prueba-de-manejo', 'Probarlo'],
  ['otro', 'Otra cosa'],
] as const

export interface InquiryFormProps {
  action: string
  values: InquiryValues
  errors?: Errors | undefined
}

/** The form of an inquiry, short enough for a telephone. */
export function InquiryForm({ action, values, errors }: InquiryFormProps) {
  return (
    <form method="post" action={action} class="sheet" novalidate>
      <FaultList errors={errors} labels={LABELS} />
      <Field name="Nombre" label={LABELS.Nombre} {...{ value: values.Nombre, errors }} more={NAME} />
      <Field name="Apellido" label={LABELS.Apellido} {...{ value: values.Apellido, errors }} optional more={SURNAME} />
      <fieldset class="either">
        <legend>¿Cómo le respondemos?</legend>
        <p class="hint">Deje su teléfono, su correo o los dos.</p>
        <Field
          name="Telefono"
          label={LABELS.Telefono}
          hint="Con el código de área, por ejemplo 341 555-0199."
          value={values.Telefono}
          errors={errors}
          more={{ type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxlength: 30, required: false }}
        />
        <Field
          name="Email"
          label={LABELS.Email}
          value={values.Email}
          errors={errors}
          more={{ type: 'email', autocomplete: 'email', inputmode: 'email', maxlength: 254, required: false }}
        />
      </fieldset>
      <Select name="Interes" label={LABELS.Interes} value={values.Interes} choices={INTERESES} errors={errors} />
      <Area
        name="Comentario"
        label={LABELS.Comentario}
        value={values.Comentario}
        errors={errors}
        optional
        more={{ rows: 4, maxlength: 2000 }}
      />
      <Consent given={values.Consentimiento} errors={errors} />
      <Trap />
      <input type="hidden" name="Envio" value={values.Envio} />
      <button type="submit">Enviar la consulta</button>
    </form>
  )
}

const NAME = { autocomplete: 'given-name', maxlength: 100 }
const SURNAME = { autocomplete: 'family-name', maxlength: 100 }

/** Never preselected; its value is the version of the text. */
function Consent({ given, errors }: { given: string; errors: Errors | undefined }) {
  const id = fieldId('Consentimiento')
  const fault = errors?.Consentimiento
  return (
    <div class="tick consent">
      <input
        type="checkbox"
        id={id}
        name="Consentimiento"
        value={CONSENT_VERSION}
        checked={given === CONSENT_VERSION}
        required
        {...(fault && { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-error` })}
      />
      <label for={id}>{CONSENT_TEXT}</label>
      {fault && (
        <p class="fault" id={`${id}-error`}>
          {fault.join(' ')}
        </p>
      )}
    </div>
  )
}

/** A field for bots, which fill in everything; hidden from people and screen readers. */
const Trap = () => (
  <div class="visually-hidden" aria-hidden="true">
    <label for={fieldId(TRAP)}>No complete este campo</label>
    <input id={fieldId(TRAP)} name={TRAP} tabindex={-1} autocomplete="off" />
  </div>
)
