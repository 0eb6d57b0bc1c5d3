import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { NAME_CHARACTERS } from '../accounts/account.ts'
import type { Errors } from '../http/problems.ts'
import { t } from '../i18n/messages.tsx'
import { normalizeLines } from '../text.ts'
import { Area, Field, type FieldProps, FormContext, Select, type SelectProps } from './fields.tsx'
import { faultsInOrder, textFields } from './form.ts'

/** A field of a form: how it is shown, and which values it refuses. */
export interface FormField {
  label: string
  hint?: ComponentChildren
  optional?: boolean
  more?: NonNullable<FieldProps['more']>
  /** The field is a select. */
  choices?: SelectProps['choices']
  placeholder?: string
  /** The field has several lines. */
  rows?: number
  /** Says that it is empty, or none of the choices. A field without it may be empty. */
  missing?: string
  /** Most characters. */
  max?: number
  /** What is wrong with any other value. */
  check?(value: string): string | false
}

export type FormFields<Name extends string = string> = Readonly<Record<Name, FormField>>

export const nameFields = () =>
  ({
    Nombre: {
      label: t('comun.field.firstName'),
      missing: t('comun.field.missing.Nombre'),
      max: NAME_CHARACTERS,
      more: { autocomplete: 'given-name' },
    },
    Apellido: {
      label: t('comun.field.lastName'),
      missing: t('comun.field.missing.Apellido'),
      max: NAME_CHARACTERS,
      more: { autocomplete: 'family-name' },
    },
  }) satisfies FormFields

/** A form as it was filled in, and what is wrong with it. */
export interface Refused<Name extends string = string> {
  given: Record<Name, string>
  errors: Errors
  /** See overtaken.ts. */
  now?: Partial<Record<Name, string>>
  version?: string
}

/** The fields of a form as they were filled in; `errors` where one of them, or `checkAll`, refuses. */
export function readFields<Name extends string>(
  fields: FormFields<Name>,
  form: URLSearchParams,
  checkAll: (given: Record<Name, string>) => Errors = () => ({}),
): { given: Record<Name, string>; errors: Errors | undefined } {
  const names = Object.keys(fields) as Name[]
  const given = textFields(form, names)
  for (const name of names) if (fields[name].rows) given[name] = normalizeLines(form.get(name) ?? '')
  const errors = checkAll(given)
  for (const name of names) {
    const fault = faultOf(fields[name], given[name])
    if (fault) errors[name] = [fault]
  }
  return { given, errors: Object.keys(errors).length > 0 ? faultsInOrder(errors, names) : undefined }
}

function faultOf({ optional, choices, missing, max = Number.MAX_SAFE_INTEGER, check }: FormField, value: string) {
  if (value === '') return !optional && missing
  if (choices?.every((choice) => (typeof choice === 'string' ? choice : choice[0]) !== value))
    return missing ?? t('comun.field.chooseOne')
  return value.length > max ? t('comun.field.tooLong', { max }) : check?.(value)
}

export const labelsOf = (fields: FormFields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]))

/** The fields with the values of their form. */
export function Fields({ fields }: { fields: FormFields }) {
  const { given } = useContext(FormContext)
  return (
    <>
      {Object.entries(fields).map(([name, { choices, rows, missing, max, check, more, ...field }]) => {
        const props = { ...field, name, value: given?.[name] }
        const bound = max && { maxlength: max }
        if (choices) return <Select key={name} {...props} choices={choices} />
        if (rows) return <Area key={name} {...props} more={{ ...bound, rows }} />
        return <Field key={name} {...props} more={{ ...bound, ...more }} />
      })}
    </>
  )
}
