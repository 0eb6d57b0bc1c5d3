import type { Errors } from '../../../http/problems.ts'
import { Field } from '../../fields.tsx'
import { HEADER_PLACES, type Signing, type WebhookForm } from './form.ts'

/** How the fields are called where something is wrong with them. */
export const LABELS: Record<string, string> = {
  Callback: 'Dirección',
  Secret: 'Secret',
  Description: 'Nota',
  ...Object.fromEntries(
    HEADER_PLACES.flatMap((place, at) => [
      [`${place}.Name`, `Encabezado ${at + 1}`],
      [`${place}.Value`, `Valor del encabezado ${at + 1}`],
    ]),
  ),
}

interface Props {
  form: WebhookForm
  errors?: Errors | undefined
}

/** Where to, and what goes along. */
export function WebhookFields({ form, errors }: Props) {
  const hasHeaders = form.headers.some(({ Name, Value }) => Name || Value)
  const faulty = Object.keys(errors ?? {}).some((name) => name.startsWith('HeaderCustom'))
  return (
    <>
      <Field
        name="Callback"
        label="Dirección de su servidor"
        hint="Una dirección https que conteste 2xx en 15 segundos. Conteste primero y trabaje después."
        value={form.Callback}
        errors={errors}
        more={{ type: 'url', inputmode: 'url', placeholder: 'https://', maxlength: 1024, autocomplete: 'off' }}
      />
      <Field
        name="Description"
        label="Nota"
        hint="Para reconocerlo: de qué sistema es, quién lo cuida."
        value={form.Description}
        errors={errors}
        optional
        more={{ maxlength: 256, autocomplete: 'off' }}
      />
      <details open={hasHeaders || faulty}>
        <summary>Encabezados propios</summary>
        <p class="hint">Hasta tres, que acompañan cada notificación: una clave de su puerta de entrada, por ejemplo.</p>
        {HEADER_PLACES.map((place, at) => (
          <div key={place} class="pair">
            <Field
              name={`${place}.Name`}
              label={`Encabezado ${at + 1}`}
              value={form.headers[at]?.Name}
              errors={errors}
              optional
              more={{ maxlength: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
            />
            <Field
              name={`${place}.Value`}
              label={`Valor del encabezado ${at + 1}`}
              value={form.headers[at]?.Value}
              errors={errors}
              optional
              more={{ maxlength: 1024, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
            />
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

/** How deliveries are signed. */
export function SigningFields({ form, errors }: Props) {
  return (
    <fieldset class="signing">
      <legend>Firma</legend>
      {CHOICES.map(([value, label, hint]) => (
        <div key={value} class="tick">
          <input
            type="radio"
            id={`firma-${value}`}
            name="firma"
            value={value}
            checked={form.firma === value}
            aria-describedby={`firma-${value}-ayuda`}
          />
          <label for={`firma-${value}`}>{label}</label>
          <p class="hint" id={`firma-${value}-ayuda`}>
            {hint}
          </p>
        </div>
      ))}
      <Field
        name="Secret"
        label="Su Secret"
        value={form.firma === 'propia' ? form.Secret : ''}
        errors={errors}
        more={{ required: false, maxlength: 256, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
    </fieldset>
  )
}
