import type { InputHTMLAttributes } from 'preact'
import type { Catalogue, Ciudad } from '../../../catalogue/load.ts'
import type { Errors } from '../../../http/problems.ts'
import { type AgenciaData, dataEntry, FIELDS, formatCampo } from '../../../resources/agencias/agencia.ts'
import type { AgenciaEdit } from '../../../resources/agencias/schema.ts'
import { FaultList, Field } from '../../fields.tsx'
import { faultsInOrder, linesOf } from '../../form.ts'
import { PlaceFields } from '../../places/fields.tsx'
import { type Candidate, withChosen } from '../../places/place.ts'
import { fullAddress, plainNumber } from '../contact.ts'

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

type DataValues = Record<keyof typeof FIELDS, string>

/** The stored values as the form shows them. */
export const present = (data: AgenciaData): DataValues => {
  const entry = dataEntry(data)
  return Object.fromEntries(NAMES.map((name) => [name, entry[name] ?? ''])) as DataValues
}

export const posted = (form: URLSearchParams, catalogue: Catalogue): DataValues =>
  withChosen(linesOf(form, NAMES), catalogue)

/** The form as `AgenciaEdit`: blank is null. */
export const bodyOf = (values: DataValues): AgenciaEdit => {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp), SitioWeb: fullAddress(values.SitioWeb) }
  const body = Object.fromEntries(NAMES.map((name) => [name, given[name] || null]))
  return { ...body, Nombre: given.Nombre }
}

/** The stored value of each field that differs from the form, after another person changed the data. */
export const changedValues = (typed: DataValues, now: DataValues): Partial<DataValues> =>
  Object.fromEntries(NAMES.filter((name) => typed[name] !== now[name]).map((name) => [name, now[name] || '(vacío)']))

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, NAMES)

export interface DataFormProps {
  values: DataValues
  /** The version that was read: a form with an older one is not saved. */
  version: string
  country: string
  regions: readonly string[]
  cities: readonly Ciudad[]
  errors?: Errors | undefined
  candidates?: readonly Candidate[] | undefined
  /** The stored values that differ, after somebody else changed the data. */
  now?: Partial<DataValues> | undefined
}

const HINTS: Partial<Record<keyof DataValues, string>> = {
  Nombre: 'Como la conocen sus clientes.',
  Telefono: 'Con el código de área, por ejemplo 341 555-0199.',
  WhatsApp: 'Con + y el código del país, por ejemplo +54 9 341 555-0199.',
}

/** The form of the agency's data. */
export function DataForm({ values, version, country, regions, cities, errors, candidates, now = {} }: DataFormProps) {
  const label = (name: string) => formatCampo(name, country)
  const labels = Object.fromEntries(Object.keys(values).map((name) => [name, label(name)]))
  const text = (name: keyof DataValues, more: InputHTMLAttributes<HTMLInputElement>, hint = HINTS[name]) => (
    <Field
      name={name}
      label={label(name)}
      value={values[name]}
      hint={now[name] ? `${hint ? `${hint} ` : ''}Ahora dice: ${now[name]}` : hint}
      errors={errors}
      optional={name !== 'Nombre'}
      more={more}
    />
  )
  const telephone = { type: 'tel', inputmode: 'tel' } as const
  return (
    <form method="post" action="/cuenta/datos" class="sheet" novalidate>
      <FaultList errors={errors} labels={labels} />
      <input type="hidden" name="Version" value={version} />
      <fieldset>
        <legend>La agencia</legend>
        {text('Nombre', { autocomplete: 'organization', maxlength: 120 })}
        {text('RazonSocial', { autocomplete: 'off', maxlength: 120 })}
        {text(
          'IdFiscal',
          { autocomplete: 'off', maxlength: 20, ...(country === 'AR' && { inputmode: 'numeric' as const }) },
          country === 'AR' ? 'Once cifras, con o sin guiones.' : undefined,
        )}
      </fieldset>
      <fieldset>
        <legend>Cómo la contactan</legend>
        {text('Telefono', { ...telephone, autocomplete: 'tel', maxlength: 20 })}
        {text('WhatsApp', { ...telephone, autocomplete: 'off', maxlength: 30 })}
        {text('SitioWeb', {
          type: 'url',
          inputmode: 'url',
          autocomplete: 'url',
          autocapitalize: 'none',
          maxlength: 200,
        })}
      </fieldset>
      <fieldset>
        <legend>Dónde está</legend>
        {(now.Region || now.Ciudad) && (
          <p class="hint">Ahora dice: {[now.Ciudad, now.Region].filter(Boolean).join(', ')}</p>
        )}
        <PlaceFields {...{ values, regions, cities, errors }} candidates={candidates ?? []} />
        {text('Direccion', { autocomplete: 'street-address', maxlength: 200 })}
        {text('CodigoPostal', { autocomplete: 'postal-code', maxlength: 20 })}
      </fieldset>
      <button type="submit">Guardar</button>
    </form>
  )
}
