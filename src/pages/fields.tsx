import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { MIN_PASSWORD } from '../accounts/password.ts'
import type { Errors } from '../http/problems.ts'

export const fieldId = (name: string): string => `campo-${name}`

export interface FieldProps {
  name: string
  label: string
  value?: string | null | undefined
  hint?: ComponentChildren
  errors?: Errors | undefined
  optional?: boolean
  /** Further attributes of the input: type, autocomplete, inputmode … */
  more?: InputHTMLAttributes<HTMLInputElement> & Record<`hx-${string}`, string>
  /** Below the field. */
  children?: ComponentChildren
}

/** A label, its input, a hint and errors, linked for screen readers. */
export function Field({ name, label, value, hint, errors, optional = false, more = {}, children }: FieldProps) {
  const id = fieldId(name)
  return (
    <div class="field">
      <Label id={id} label={label} optional={optional} />
      <Hint id={id} hint={hint} />
      <Fault id={id} messages={errors?.[name]} />
      <input
        id={id}
        name={name}
        value={value ?? ''}
        required={!optional}
        {...described(name, hint, errors)}
        {...more}
      />
      {children}
    </div>
  )
}

/** Shown before a password is chosen; `passwordFault` enforces it. */
const PASSWORD_RULE = `Al menos ${MIN_PASSWORD} caracteres, los que quiera: una frase corta es buena y fácil de recordar. No sirven su correo ni series como 12345678.`

interface NewPasswordProps {
  label: string
  errors: Errors | undefined
  minlength?: number
}

/** Where a person chooses a password. */
export const NewPassword = ({ label, errors, ...more }: NewPasswordProps) => (
  <Field
    name="Clave"
    label={label}
    hint={PASSWORD_RULE}
    errors={errors}
    more={{ type: 'password', autocomplete: 'new-password', ...more }}
  />
)

interface FullNameProps {
  nombre: string
  apellido: string
  errors: Errors | undefined
}

/** First name and surname of a person. */
export const FullName = ({ nombre, apellido, errors }: FullNameProps) => (
  <>
    <Field
      name="Nombre"
      label="Nombre"
      value={nombre}
      errors={errors}
      more={{ autocomplete: 'given-name', maxlength: 50 }}
    />
    <Field
      name="Apellido"
      label="Apellido"
      value={apellido}
      errors={errors}
      more={{ autocomplete: 'family-name', maxlength: 50 }}
    />
  </>
)

/** The input of an e-mail address: nothing in it is corrected. */
export const EMAIL_INPUT = { type: 'email', inputmode: 'email', autocapitalize: 'none', spellcheck: false } as const

export interface SelectProps extends Omit<FieldProps, 'more'> {
  /** What is sent, and what is shown where that is something else. */
  choices: readonly (string | readonly [value: string, shown: string])[]
  /** What is shown before one is chosen; without it the first is. */
  placeholder?: string
  more?: SelectHTMLAttributes<HTMLSelectElement> & Record<`hx-${string}`, string>
}

export function Select({ name, label, value, hint, errors, optional = false, more = {}, ...props }: SelectProps) {
  const id = fieldId(name)
  return (
    <div class="field">
      <Label id={id} label={label} optional={optional} />
      <Hint id={id} hint={hint} />
      <Fault id={id} messages={errors?.[name]} />
      <select id={id} name={name} required={!optional} {...described(name, hint, errors)} {...more}>
        {props.placeholder !== undefined && <option value="">{props.placeholder}</option>}
        {props.choices.map((choice) => {
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
}

export interface AreaProps extends Omit<FieldProps, 'more' | 'children'> {
  more?: TextareaHTMLAttributes<HTMLTextAreaElement>
}

/** A field of several lines. */
export function Area({ name, label, value, hint, errors, optional = false, more = {} }: AreaProps) {
  const id = fieldId(name)
  return (
    <div class="field">
      <Label id={id} label={label} optional={optional} />
      <Hint id={id} hint={hint} />
      <Fault id={id} messages={errors?.[name]} />
      <textarea id={id} name={name} required={!optional} {...described(name, hint, errors)} {...more}>
        {`\n${value ?? ''}` /* HTML takes the first line break away */}
      </textarea>
    </div>
  )
}

interface TickProps {
  name: string
  label: string
  hint: ComponentChildren
  checked: boolean
  /** Tells apart the same box of two forms on one page. */
  of?: string
}

/** A permission: what it is, and what follows from giving it. */
export function Tick({ name, label, hint, checked, of = '' }: TickProps) {
  const id = fieldId(name + of)
  return (
    <div class="tick">
      <input type="checkbox" id={id} name={name} value="si" checked={checked} aria-describedby={`${id}-ayuda`} />
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-ayuda`}>
        {hint}
      </p>
    </div>
  )
}

/** What is wrong, at the head of a form, each with the way to its field. */
export function FaultList({ errors, labels = {} }: { errors: Errors | undefined; labels?: Record<string, string> }) {
  const all = Object.entries(errors ?? {})
  if (all.length === 0) return null
  const ofFields = all.filter(([name]) => name !== '_').length
  return (
    <div class="faults" role="alert">
      {ofFields > 0 && <h2>{ofFields === 1 ? 'Hay un dato que corregir' : `Hay ${ofFields} datos que corregir`}</h2>}
      {errors?._?.map((message) => (
        <p key={message}>{message}</p>
      ))}
      {ofFields > 0 && (
        <ul>
          {all
            .flatMap(([name, messages]) => (name === '_' ? [] : messages.map((each) => [name, each] as const)))
            .map(([name, message]) => (
              <li key={name + message}>
                <a href={`#${fieldId(name)}`}>{labels[name] ? `${labels[name]}: ${message}` : message}</a>
              </li>
            ))}
        </ul>
      )}
    </div>
  )
}

const Label = ({ id, label, optional }: { id: string; label: string; optional: boolean }) => (
  <label for={id}>
    {label}
    {optional && <span class="optional"> (opcional)</span>}
  </label>
)

const Hint = ({ id, hint }: { id: string; hint: ComponentChildren }) =>
  hint ? (
    <p class="hint" id={`${id}-ayuda`}>
      {hint}
    </p>
  ) : null

const Fault = ({ id, messages }: { id: string; messages: string[] | undefined }) =>
  messages?.length ? (
    <p class="fault" id={`${id}-error`}>
      {messages.join(' ')}
    </p>
  ) : null

/** The keyboard waits at the first field that is wrong, also where no script runs. */
function described(name: string, hint: ComponentChildren, errors: Errors | undefined) {
  const id = fieldId(name)
  const wrong = Boolean(errors?.[name]?.length)
  const by = [hint && `${id}-ayuda`, wrong && `${id}-error`].filter(Boolean).join(' ')
  return {
    ...(by && { 'aria-describedby': by }),
    ...(wrong && { 'aria-invalid': 'true' as const }),
    ...(wrong && Object.keys(errors ?? {}).find((each) => each !== '_') === name && { autofocus: true }),
  }
}
