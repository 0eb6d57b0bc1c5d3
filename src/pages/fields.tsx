import {
  type ComponentChildren,
  createContext,
  type InputHTMLAttributes,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'preact'
import { useContext } from 'preact/hooks'
import { MIN_PASSWORD } from '../accounts/password.ts'
import type { Errors } from '../http/problems.ts'
import { t } from '../i18n/messages.tsx'

export const fieldId = (name: string): string => `campo-${name}`

/** The stored value of each field that differs from the form, after somebody else changed it; empty where nothing is stored. */
export type StoredValues = Readonly<Record<string, string | undefined>>

/** A form as it was filled in, and what is wrong with it. */
export interface FormState {
  given?: Readonly<Record<string, string | null | undefined>> | undefined
  errors?: Errors | undefined
  now?: StoredValues | undefined
}

/** The form that a field is in: each field shows its own faults, and `Fields` their values. */
export const FormContext = createContext<FormState>({})

/** True where the account may only read: forms show their values, and what only leads to a change is left out. */
export const ReadOnlyContext = createContext(false)

/** What only leads to a change: a link, a section with the form of something new. */
export const Acts = ({ children }: { children: ComponentChildren }) => (useContext(ReadOnlyContext) ? null : children)

export const useFaults = (): Errors => useContext(FormContext).errors ?? {}

/** The hint of a field, with the stored value if somebody else changed it. */
function useHint({ name, hint }: Pick<FieldProps, 'name' | 'hint'>): ComponentChildren {
  const stored = useContext(FormContext).now?.[name]
  if (stored === undefined) return hint
  const said = <strong>{t('comun.form.now', { value: stored || t('comun.form.empty') })}</strong>
  return hint ? [hint, ' ', said] : said
}

export interface FieldProps {
  name: string
  label: string
  value?: string | null | undefined
  hint?: ComponentChildren
  optional?: boolean
  /** Further attributes of the input: type, autocomplete, inputmode … */
  more?: InputHTMLAttributes<HTMLInputElement> & Record<`hx-${string}`, string>
  /** Below the field. */
  children?: ComponentChildren
}

/** A label, a hint, errors and the input itself, linked for screen readers. */
function Labelled({ name, label, optional = false, children, ...field }: Omit<FieldProps, 'value' | 'more'>) {
  const id = fieldId(name)
  const hint = useHint({ name, ...field })
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> {t('comun.field.optional')}</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-ayuda`}>
          {hint}
        </p>
      )}
      <FieldFault name={name} />
      {children}
    </div>
  )
}

/** What is wrong with a field, which refers to it by `aria-describedby`. */
export function FieldFault({ name }: { name: string }) {
  const faults = useFaults()[name]
  if (!faults?.length) return null
  return (
    <p class="fault" id={`${fieldId(name)}-error`}>
      {faults.join(' ')}
    </p>
  )
}

export const Field = ({ value, more, children, ...field }: FieldProps) => (
  <Labelled {...field}>
    <input id={fieldId(field.name)} name={field.name} value={value ?? ''} {...useInputState(field)} {...more} />
    {children}
  </Labelled>
)

/** With the rule that `passwordFault` enforces. */
export const NewPassword = ({ label }: { label: string }) => (
  <Field
    name="Clave"
    label={label}
    hint={t('comun.field.passwordRule', { min: MIN_PASSWORD })}
    more={{ type: 'password', autocomplete: 'new-password' }}
  />
)

/** The input of an email address: nothing in it is corrected. */
export const EMAIL_INPUT = { type: 'email', inputmode: 'email', autocapitalize: 'none', spellcheck: false } as const

/** The input of a code of the second factor, or of a recovery code. */
export const CODE_INPUT = {
  autocomplete: 'one-time-code',
  autocapitalize: 'none',
  spellcheck: false,
  maxlength: 40,
} as const

export interface SelectProps extends Omit<FieldProps, 'more' | 'children'> {
  /** The value that is sent, and its label where that is another. */
  choices: readonly (string | readonly [value: string, label: string])[]
  /** Shown until something is chosen; without it the first choice is. */
  placeholder?: string
  more?: SelectHTMLAttributes<HTMLSelectElement> & Record<`hx-${string}`, string>
}

/** It always has a value, so that nobody needs to read that it is optional. */
export const Select = ({ value, choices, placeholder, more, ...field }: SelectProps) => (
  <Labelled {...field} optional={false}>
    <select id={fieldId(field.name)} name={field.name} {...useInputState(field)} {...more}>
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      <Options choices={choices} value={value} />
    </select>
  </Labelled>
)

export const Options = ({ choices, value }: Pick<SelectProps, 'choices'> & { value: unknown }) => (
  <>
    {choices.map((choice) => {
      const [sent, label] = typeof choice === 'string' ? [choice, choice] : choice
      return (
        <option key={sent} value={sent} selected={sent === value}>
          {label}
        </option>
      )
    })}
  </>
)

type AreaProps = Omit<FieldProps, 'more' | 'children'> & { more?: TextareaHTMLAttributes<HTMLTextAreaElement> }

export const Area = ({ value, more, ...field }: AreaProps) => (
  <Labelled {...field}>
    <textarea id={fieldId(field.name)} name={field.name} {...useInputState(field)} {...more}>
      {`\n${value ?? ''}` /* HTML drops the first line break */}
    </textarea>
  </Labelled>
)

interface TickProps {
  name: string
  label: string
  hint: ComponentChildren
  checked: boolean
  /** Tells apart the same box of two forms on one page. */
  of?: string
  /** One of several choices with this value; else a box to tick. */
  radio?: string
}

/** A permission or a choice: what it is, and what follows from it. */
export function Tick({ name, label, hint, radio, of = radio ?? '', checked }: TickProps) {
  const id = fieldId(name + of)
  const stored = useContext(FormContext).now?.[name]
  const isStored = stored === (radio ?? 'si')
  const input = { id, name, value: radio ?? 'si', checked, 'aria-describedby': `${id}-ayuda` }
  return (
    <div class="tick">
      {radio ? <input type="radio" {...input} /> : <input type="checkbox" {...input} />}
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-ayuda`}>
        {hint}
        {stored !== undefined && (isStored || !radio) && (
          <>
            {' '}
            <strong>{t(isStored ? 'comun.form.nowTicked' : 'comun.form.nowNotTicked')}</strong>
          </>
        )}
      </p>
    </div>
  )
}

interface FaultListProps {
  errors: Errors | undefined
  labels?: Record<string, string>
  /** It has the focus: its form may be far down the page, with no field that is wrong. */
  focused?: boolean
}

/** The errors at the head of a form, each with a link to its field. */
export function FaultList({ errors, labels = {}, focused = false }: FaultListProps) {
  const all = Object.entries(errors ?? {})
  if (all.length === 0) return null
  const ofFields = all.filter(([name]) => name !== '_').length
  return (
    <div class="faults" role="alert" {...(focused && { tabindex: -1, autofocus: true })}>
      {ofFields > 0 && <h2>{t('comun.field.faults', { count: ofFields })}</h2>}
      {errors?._?.map((message) => (
        <p key={message}>{message}</p>
      ))}
      {ofFields > 0 && (
        <ul>
          {all
            .flatMap(([name, messages]) => (name === '_' ? [] : messages.map((each) => [name, each] as const)))
            .map(([name, message]) => (
              <li key={name + message}>
                <a href={`#${fieldId(name)}`}>{withLabel(message, labels[name])}</a>
              </li>
            ))}
        </ul>
      )}
    </div>
  )
}

/** Names the field, unless the message does: "Escriba su nombre." */
const withLabel = (message: string, label: string | undefined): string =>
  !label || message.toLowerCase().includes(label.toLowerCase()) ? message : `${label}: ${message}`

/** The first field that is wrong has the focus, also where no script runs. */
export function useInputState({ name, optional = false, ...field }: Omit<FieldProps, 'label'>) {
  const errors = useFaults()
  const hint = useHint({ name, ...field })
  const id = fieldId(name)
  const wrong = Boolean(errors[name]?.length)
  const by = [hint && `${id}-ayuda`, wrong && `${id}-error`].filter(Boolean).join(' ')
  return {
    required: !optional,
    ...(by && { 'aria-describedby': by }),
    ...(wrong && { 'aria-invalid': 'true' as const }),
    ...(wrong && Object.keys(errors).find((each) => each !== '_') === name && { autofocus: true }),
  }
}

interface FormProps extends FormState {
  action: string
  /** At the foot; a form without it has buttons among its fields. */
  button?: string
  labels?: Record<string, string>
  /** Of the stored values: a form with an older one does not overwrite them (overtaken.ts). */
  version?: string | undefined
  class?: string
  buttonClass?: string
  /** The form sends files: its route is a `fileRoute`. */
  withFiles?: boolean
  /** The faults are shown at the fields alone. */
  withoutFaultList?: boolean
  children: ComponentChildren
}

/** A form with its errors at the head and a button at the foot. */
export function Form({ action, button, given, errors, now, labels, version, children, ...props }: FormProps) {
  const look = props.class ?? 'sheet limited'
  if (useContext(ReadOnlyContext))
    return (
      <FormContext.Provider value={{ given }}>
        <fieldset disabled class={`${look} values`}>
          {children}
        </fieldset>
      </FormContext.Provider>
    )
  return (
    <FormContext.Provider value={{ given, errors, now }}>
      <form
        method="post"
        action={action}
        class={look}
        enctype={props.withFiles ? 'multipart/form-data' : undefined}
        novalidate
      >
        {!props.withoutFaultList && (
          <FaultList errors={errors} focused={now !== undefined} {...(labels && { labels })} />
        )}
        {version !== undefined && <Hidden values={{ Version: version }} />}
        {children}
        {button && (
          <button type="submit" class={props.buttonClass}>
            {button}
          </button>
        )}
      </form>
    </FormContext.Provider>
  )
}

export const Hidden = ({ values }: { values: Record<string, string | number | undefined> }) => (
  <>
    {Object.entries(values).map(
      ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
    )}
  </>
)

/** A link to the page that confirms an act; `to` completes the label for screen readers. */
export const DangerLink = ({ href, label, to }: { href: string; label: string; to: string }) => (
  <Acts>
    <a class="danger" href={href}>
      {label}
      <span class="visually-hidden"> {to}</span>
    </a>
  </Acts>
)
