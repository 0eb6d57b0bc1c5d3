import type { Account } from '../../accounts/account.ts'
import type { Ciudad } from '../../catalogue/load.ts'
import type { Errors } from '../../http/problems.ts'
import { FaultList, Field, fieldId, Select } from '../fields.tsx'
import { PASSWORD_RULE } from '../sign-in/password-page.tsx'
import { CityOptions } from '../suggestions/options.tsx'
import type { Candidate, FormValues } from './values.ts'

export interface RegistrationFormProps {
  token: string
  adminMail: string
  values: FormValues
  regions: readonly string[]
  /** The cities offered before anybody types. */
  cities: readonly Ciudad[]
  errors?: Errors | undefined
  candidates?: readonly Candidate[]
  /** A person who has an account already: it stays theirs, and only the agency is new. */
  account?: Account | undefined
}

/** What each field is called, on the page and where its fault is told. */
const LABELS = {
  Nombre: 'Nombre de la agencia',
  Telefono: 'Teléfono',
  Region: 'Provincia o región',
  Ciudad: 'Ciudad',
  AdminNombre: 'Nombre',
  AdminApellido: 'Apellido',
  Clave: 'Clave',
}

const SUGGEST = { 'hx-get': '/sugerencias/ciudades', 'hx-target': '#ciudades' }

/** The form of the registration page; its fields are those of the interface, and no others are sent. */
export function RegistrationForm(props: RegistrationFormProps) {
  const { token, adminMail, values, regions, cities, errors, candidates = [], account } = props
  return (
    <form method="post" action={`/registro/${token}`} class="sheet" novalidate>
      <FaultList errors={errors} labels={LABELS} />
      <fieldset>
        <legend>La agencia</legend>
        <Field
          name="Nombre"
          label={LABELS.Nombre}
          value={values.Nombre}
          errors={errors}
          more={{ autocomplete: 'organization', maxlength: 120 }}
        />
        <Field
          name="Telefono"
          label={LABELS.Telefono}
          hint="Con el código de área, por ejemplo 341 555-0199."
          value={values.Telefono}
          errors={errors}
          optional
          more={{ type: 'tel', autocomplete: 'tel', inputmode: 'tel', maxlength: 20 }}
        />
        <Select
          name="Region"
          label={LABELS.Region}
          value={values.Region}
          errors={errors}
          choices={regions}
          placeholder="Elija una"
          optional
          more={{ autocomplete: 'address-level1', ...SUGGEST, 'hx-trigger': 'change' }}
        />
        <Field
          name="Ciudad"
          label={LABELS.Ciudad}
          hint="Empiece a escribir y elija de la lista, o escríbala entera."
          value={values.Ciudad}
          errors={errors}
          optional
          more={{
            autocomplete: 'address-level2',
            list: 'ciudades',
            maxlength: 200,
            ...SUGGEST,
            'hx-trigger': 'input changed delay:150ms',
            'hx-sync': 'this:replace', // an older answer never covers a newer one
            'hx-include': `#${fieldId('Region')}`,
          }}
        >
          <datalist id="ciudades">
            <CityOptions cities={cities} />
          </datalist>
          <Candidates candidates={candidates} typed={values.Ciudad} />
        </Field>
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
        {!account?.nombre && <Name name="AdminNombre" label="Nombre" auto="given-name" {...{ values, errors }} />}
        {!account?.apellido && (
          <Name name="AdminApellido" label="Apellido" auto="family-name" {...{ values, errors }} />
        )}
        {!account && (
          <Field
            name="Clave"
            label="Elija una clave"
            hint={PASSWORD_RULE}
            errors={errors}
            more={{ type: 'password', autocomplete: 'new-password' }}
          />
        )}
      </fieldset>
      <button type="submit">Registrar la agencia</button>
    </form>
  )
}

interface NameProps {
  name: 'AdminNombre' | 'AdminApellido'
  label: string
  auto: string
  values: FormValues
  errors: Errors | undefined
}

const Name = ({ name, label, auto, values, errors }: NameProps) => (
  <Field name={name} label={label} value={values[name]} errors={errors} more={{ autocomplete: auto, maxlength: 50 }} />
)

/** What came near a city that we do not know, to be chosen with one key. */
function Candidates({ candidates, typed }: { candidates: readonly Candidate[]; typed: string }) {
  if (candidates.length === 0) return null
  return (
    <fieldset class="choices">
      <legend>¿Es alguna de estas?</legend>
      {candidates.map(({ href, title }, at) => (
        <label key={href} for={`ciudad-${at}`}>
          <input type="radio" id={`ciudad-${at}`} name="Ciudad" value={href} /> {title}
        </label>
      ))}
      <label for="ciudad-ninguna">
        <input type="radio" id="ciudad-ninguna" name="Ciudad" value="" checked /> Ninguna: la corrijo arriba
        {typed && <span class="visually-hidden"> (dice {typed})</span>}
      </label>
    </fieldset>
  )
}
