import type { Account } from '../../accounts/account.ts'
import type { Errors } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import type { Invitacion } from '../../resources/agencias/agencia.ts'
import { Form, NewPassword } from '../fields.tsx'
import { faultsInOrder, passwordField, textFields } from '../form.ts'
import { Fields, type FormFields, labelsOf, nameFields } from '../form-fields.tsx'
import { agencyFields, PLACE_LABELS, PlaceFields, type PlaceFieldsProps } from '../places/fields.tsx'

/** The fields that are shown again, in the order of the page. The password never is. */
const SHOWN = ['Nombre', 'Telefono', 'Region', 'Ciudad', 'AdminNombre', 'AdminApellido'] as const

export type FormValues = Record<(typeof SHOWN)[number], string>

export const prefilled = (invitacion: Invitacion): FormValues => ({
  Nombre: invitacion.nombre ?? '',
  Telefono: invitacion.telefono ?? '',
  Region: invitacion.region ?? '',
  Ciudad: invitacion.ciudad ?? '',
  AdminNombre: invitacion.adminNombre ?? '',
  AdminApellido: invitacion.adminApellido ?? '',
})

export const valuesIn = (form: URLSearchParams): FormValues & { Clave: string } => ({
  ...textFields(form, SHOWN),
  Clave: passwordField(form),
})

export const inRegistroOrder = (errors: Errors): Errors => faultsInOrder(errors, [...SHOWN, 'Clave'])

export interface RegistrationFormProps extends PlaceFieldsProps {
  token: string
  adminMail: string
  values: FormValues
  /** The account of a person who has one already; only the agency is new. */
  account?: Account | undefined
  errors?: Errors | undefined
}

const agency = () => {
  const { Nombre, Telefono } = agencyFields()
  return { Nombre: { ...Nombre, label: t('registro.form.agencyName') }, Telefono } satisfies FormFields
}

const person = () => ({ AdminNombre: nameFields().Nombre, AdminApellido: nameFields().Apellido })

const labels = () => ({
  ...labelsOf({ ...agency(), ...person() }),
  ...PLACE_LABELS,
  Clave: t('registro.form.password'),
})

export function RegistrationForm({ token, adminMail, values, errors, account, ...place }: RegistrationFormProps) {
  const { AdminNombre, AdminApellido } = person()
  const unknown = { ...(!account?.nombre && { AdminNombre }), ...(!account?.apellido && { AdminApellido }) }
  return (
    <Form
      action={`/registro/${token}`}
      class="sheet"
      button={t('registro.form.button')}
      given={values}
      errors={errors}
      labels={labels()}
    >
      <fieldset>
        <legend>{t('registro.form.agency')}</legend>
        <Fields fields={agency()} />
        <PlaceFields values={values} {...place} />
      </fieldset>
      <fieldset>
        <legend>{t('registro.form.you')}</legend>
        <div class="field">
          <label for="correo">{t('registro.form.email')}</label>
          <p class="hint" id="correo-ayuda">
            {t('registro.form.emailHint')}
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
        <Fields fields={unknown} />
        {!account && <NewPassword label={t('registro.form.choosePassword')} />}
      </fieldset>
    </Form>
  )
}
