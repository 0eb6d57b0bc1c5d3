import type { Account } from '../../accounts/account.ts'
import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Errors } from '../../http/problems.ts'
import type { Invitacion } from '../../resources/agencias/agencia.ts'
import { FaultList, Field, type FieldProps, NewPassword } from '../fields.tsx'
import { faultsInOrder, linesOf, secret } from '../form.ts'
import { PLACE_LABELS, PlaceFields } from '../places/fields.tsx'
import { type Candidate, withChosen } from '../places/place.ts'

/** The fields that are shown again, in the order of the page. The password never is. */
const SHOWN = ['Nombre', 'Telefono', 'Region', 'Ciudad', 'AdminNombre', 'AdminApellido'] as const

export type FormValues = Record<(typeof SHOWN)[number], string>

/** The values that the inviting app sent. */
export const prefilled = (invitacion: Invitacion): FormValues => ({
  Nombre: invitacion.nombre ?? '',
  Telefono: invitacion.telefono ?? '',
  Region: invitacion.region ?? '',
  Ciudad: invitacion.ciudad ?? '',
  AdminNombre: invitacion.adminNombre ?? '',
  AdminApellido: invitacion.adminApellido ?? '',
})

/** The posted values; a chosen candidate also sets the region. */
export function posted(form: URLSearchParams, catalogue: Catalogue): FormValues & { Clave: string } {
  return { ...withChosen(linesOf(form, SHOWN), catalogue), Clave: secret(form) }
}

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, [...SHOWN, 'Clave'])

export interface RegistrationFormProps {
  token: string
  adminMail: string
  values: FormValues
  regions: readonly string[]
  /** The cities offered before anybody types. */
  cities: readonly Ciudad[]
  errors?: Errors | undefined
  candidates?: readonly Candidate[]
  /** The account of a person who has one already; only the agency is new. */
  account?: Account | undefined
}

/** The labels of the fields, on the page and in errors. */
const LABELS = {
  Nombre: 'Nombre de la agencia',
  Telefono: 'Teléfono',
  ...PLACE_LABELS,
  AdminNombre: 'Nombre',
  AdminApellido: 'Apellido',
  Clave: 'Clave',
}

/** The registration form, with the fields of the API and no others. */
export function RegistrationForm(props: RegistrationFormProps) {
  const { token, adminMail, values, regions, cities, errors, candidates = [], account } = props
  const text = (name: 'Nombre' | 'AdminNombre' | 'AdminApellido', more: FieldProps['more'] = {}) => (
    <Field name={name} label={LABELS[name]} value={values[name]} errors={errors} more={more} />
  )
  return (
    <form method="post" action={`/registro/${token}`} class="sheet" novalidate>
      <FaultList errors={errors} labels={LABELS} />
      <fieldset>
        <legend>La agencia</legend>
        {text('Nombre', { autocomplete: 'organization', maxlength: 120 })}
        <Field
          name="Telefono"
          label={LABELS.Telefono}
          hint="Con el código de área, por ejemplo 341 555-0199."
          value={values.Telefono}
          errors={errors}
          optional
          more={{ type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxlength: 20 }}
        />
        <PlaceFields {...{ values, regions, cities, errors, candidates }} />
      </fieldset>
      <fieldset>
        <legend>Usted</legend>
        <div class="field">
          <label for="correo">Correo</label>
          <p class="hint" id="correo-ayuda">
            Con él entra a su cuenta. Es la dirección a la que llegó la invitación.
          </p>
          <input
            id="correo"
            type="email"
            value={adminMail}
            readonly
            autocomplete="username"
            aria-describedby="correo-ayuda"
          />
        </div>
        {!account?.nombre && text('AdminNombre', { autocomplete: 'given-name', maxlength: 50 })}
        {!account?.apellido && text('AdminApellido', { autocomplete: 'family-name', maxlength: 50 })}
        {!account && <NewPassword label="Elija una clave" errors={errors} />}
      </fieldset>
      <button type="submit">Registrar la agencia</button>
    </form>
  )
}
