import type { Errors } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { type AgenciaData, dataEntry, FIELDS } from '../../../resources/agencias/agencia.ts'
import type { AgenciaEdit } from '../../../resources/agencias/schema.ts'
import { taxIdOf } from '../../../resources/agencias/tax-id.ts'
import { Form, type StoredValues } from '../../fields.tsx'
import { faultsInOrder, textFields } from '../../form.ts'
import { Fields, type FormField, type FormFields, labelsOf } from '../../form-fields.tsx'
import { agencyFields, PLACE_LABELS, PlaceFields, type PlaceFieldsProps } from '../../places/fields.tsx'
import { fullAddress, plainNumber } from '../contact.ts'

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

type DataValues = Record<keyof typeof FIELDS, string>

/** The stored values as the form shows them. */
export const shownData = (data: AgenciaData): DataValues => {
  const entry = dataEntry(data)
  return Object.fromEntries(NAMES.map((name) => [name, entry[name] ?? ''])) as DataValues
}

export const linesIn = (form: URLSearchParams): DataValues => textFields(form, NAMES)

/** The form as `AgenciaEdit`: blank is null. */
export const editOf = (values: DataValues): AgenciaEdit => {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp), SitioWeb: fullAddress(values.SitioWeb) }
  const body = Object.fromEntries(NAMES.map((name) => [name, given[name] || null]))
  return { ...body, Nombre: given.Nombre }
}

export const inDataOrder = (errors: Errors): Errors => faultsInOrder(errors, NAMES)

export interface DataFormProps extends PlaceFieldsProps {
  values: DataValues
  /** The version that was read: a form with an older one is not saved. */
  version: string
  country: string
  now?: StoredValues | undefined
  errors?: Errors | undefined
}

export function DataForm({ values, version, country, errors, now, ...place }: DataFormProps) {
  const fields: FormFields = {
    ...agencyFields(),
    Nombre: { ...agencyFields().Nombre, hint: t('cuenta.data.nameHint') },
    IdFiscal: taxIdField(country),
  }
  const group = (...names: (keyof DataValues)[]) => (
    <Fields fields={Object.fromEntries(names.map((name) => [name, fields[name] as FormField]))} />
  )
  return (
    <Form
      action="/cuenta/datos"
      class="sheet"
      button={t('cuenta.save')}
      given={values}
      errors={errors}
      now={now}
      version={version}
      labels={{ ...labelsOf(fields), ...PLACE_LABELS }}
    >
      <fieldset>
        <legend>{t('cuenta.data.agency')}</legend>
        {group('Nombre', 'RazonSocial', 'IdFiscal')}
      </fieldset>
      <fieldset>
        <legend>{t('cuenta.data.contact')}</legend>
        {group('Telefono', 'WhatsApp', 'SitioWeb')}
      </fieldset>
      <fieldset>
        <legend>{t('cuenta.data.place')}</legend>
        <PlaceFields values={values} {...place} />
        {group('Direccion', 'CodigoPostal')}
      </fieldset>
    </Form>
  )
}

/** The tax number, as the country calls it. */
function taxIdField(country: string): FormField {
  const taxId = taxIdOf(country)
  const { IdFiscal } = agencyFields()
  if (!taxId) return IdFiscal
  const hint = t('comun.taxId.hint', { example: taxId.example })
  return { ...IdFiscal, label: taxId.label, hint }
}
