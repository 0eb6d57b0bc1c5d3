import type { InputHTMLAttributes, VNode } from 'preact'
import { dayOf } from '../http/dates.ts'
import { fieldId, Options } from './fields.tsx'
import { choiceParam, dayParam, numberParam, type Query, textParam } from './params.ts'

type InputAttributes = InputHTMLAttributes<HTMLInputElement>
type Choices<Value extends string = string> = readonly (Value | readonly [value: Value, label: string])[]

interface FieldProps {
  name: string
  label: string
  value: string | number | undefined
}

export const FilterField = ({ name, label, value, more = {} }: FieldProps & { more?: InputAttributes }) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <input id={fieldId(name)} name={name} value={value ?? ''} maxlength={100} autocomplete="off" {...more} />
  </div>
)

/** A choice above a list; `all` is the option that does not narrow it. */
const FilterSelect = ({ name, label, value, all, choices }: FieldProps & { all: string; choices: Choices }) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <select id={fieldId(name)} name={name}>
      <option value="">{all}</option>
      <Options choices={choices} value={value} />
    </select>
  </div>
)

/** A filter of a list: how it is read from the query, and its field above the list. */
export interface Filter<Value extends string | number = string | number> {
  /** Undefined where the parameter is absent or makes no sense. */
  parse(query: Query, name: string): Value | undefined
  /** Filters without a field are kept as hidden inputs. */
  field?: (name: string, value: string | number | undefined, choices: Choices) => VNode | null
  /** It is written by hand, and may be an email address. */
  isText?: true
  /** Fields of one group are folded under this label. */
  group?: string
  /** The value for an instant; the filter `desde` of a list with presets has it. */
  valueAt?: (instant: Date, timeZone: string) => string
  /** How long rows are kept, if that is shorter than the longest preset. */
  keptDays?: number
}

export type Filters = Record<string, Filter>

export type FilterValues<F extends Filters> = {
  [Name in keyof F]: F[Name] extends Filter<infer Value> ? Value | undefined : never
}

export function parseFilters<F extends Filters>(filters: F, query: Query): FilterValues<F> {
  const values = Object.entries(filters).map(([name, { parse }]) => [name, parse(query, name)])
  return Object.fromEntries(values) as FilterValues<F>
}

/** Text; `maxlength` of the input also bounds what is read. */
export const textFilter = (label: string, more: InputAttributes & { maxlength?: number } = {}): Filter<string> => ({
  parse: (query, name) => textParam(query, name, more.maxlength),
  field: (name, value) => <FilterField name={name} label={label} value={value} more={more} />,
  isText: true,
})

export const searchFilter = (label: string, placeholder?: string): Filter<string> =>
  textFilter(label, { type: 'search', ...(placeholder && { placeholder }) })

export const numberFilter = (label: string): Filter<number> => ({
  parse: numberParam,
  field: (name, value) => <FilterField name={name} label={label} value={value} more={{ inputmode: 'numeric' }} />,
})

const DAY: InputAttributes = { type: 'date', maxlength: undefined, autocomplete: undefined }

export const dayFilter = (label: string): Filter<string> => ({
  parse: dayParam,
  field: (name, value) => <FilterField name={name} label={label} value={value} more={DAY} />,
  valueAt: dayOf,
})

/** One of some values; `all` is the option that chooses none. */
export function selectFilter<const Value extends string>(
  label: string,
  all: string,
  choices: Choices<Value>,
): Filter<Value> {
  const values = choices.map((choice) => (typeof choice === 'string' ? choice : choice[0]))
  return {
    parse: (query, name) => choiceParam(query, name, values),
    field: (name, value) => <FilterSelect name={name} label={label} value={value} all={all} choices={choices} />,
  }
}

/** One of the values that the list's `load` returns as `choices`. */
export const loadedFilter = (label: string, all: string): Filter<string> => ({
  parse: textParam,
  field: (name, value, choices) => <FilterSelect name={name} label={label} value={value} all={all} choices={choices} />,
})

/** A filter that only links set, of at most so many characters. */
export const hiddenFilter = (most?: number): Filter<string> => ({
  parse: (query, name) => textParam(query, name, most),
})
