import type { InputHTMLAttributes } from 'preact'
import { fieldId } from './fields.tsx'

interface FilterProps {
  name: string
  label: string
  value: string | number | undefined
}

interface FilterFieldProps extends FilterProps {
  /** Further attributes of the input: type, placeholder … */
  more?: InputHTMLAttributes<HTMLInputElement>
}

/** A field above a list that narrows it. */
export const FilterField = ({ name, label, value, more = {} }: FilterFieldProps) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <input id={fieldId(name)} name={name} value={value ?? ''} maxlength={100} autocomplete="off" {...more} />
  </div>
)

/** A day above a list. */
export const FilterDay = ({ name, label, value }: FilterProps) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <input id={fieldId(name)} name={name} type="date" value={value ?? ''} />
  </div>
)

interface FilterSelectProps extends FilterProps {
  /** What is shown while nothing is chosen. */
  all: string
  choices: readonly (string | readonly [value: string, shown: string])[]
}

/** A choice above a list. */
export const FilterSelect = ({ name, label, value, all, choices }: FilterSelectProps) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <select id={fieldId(name)} name={name}>
      <option value="">{all}</option>
      {choices.map((choice) => {
        const [sent, shown] = typeof choice === 'string' ? [choice, choice] : choice
        return (
          <option key={sent} value={sent} selected={sent === value}>
            {shown}
          </option>
        )
      })}
    </select>
  </div>
)
