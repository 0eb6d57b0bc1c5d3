import { fullName } from '../../accounts/account.ts'
import { fault, forbidden, invalid } from '../../http/problems.ts'
import { message, t } from '../../i18n/messages.tsx'
import type { Agencia, Operador } from '../../resources/agencias/agencia.ts'
import { fieldId, Hidden, Options } from '../fields.tsx'
import { formRoute } from '../form.ts'
import type { AgencyContext, OwnAgencia } from './context.tsx'

const ID_CHARACTERS = 26 // a sid
const MAX_PICKED = 50

/** Options of a form that gives the picked rows to somebody. */
export const ASSIGN_FORM = formRoute(MAX_PICKED * ID_CHARACTERS)

const isAdministrator = ({ rol }: OwnAgencia): boolean => rol === 'administrador'

/** People are named by account, because no address belongs in a page's address. */
export const peopleChoices = ({ operadores }: OwnAgencia) =>
  operadores.map((person) => [String(person.accountId), fullName(person)] as const)

/** The responsible person's name; the email address if they have left. */
export function responsibleName({ operadores }: Agencia, operador: string): string {
  const person = operadores.find(({ email }) => email === operador)
  return person ? fullName(person) : operador
}

/** True if nobody was given it: the administrator has it, or somebody who left. */
export const isUnassigned = ({ operadores }: OwnAgencia, operador: string): boolean =>
  !operadores.some(({ email, rol }) => rol === 'vendedor' && email === operador)

/** Whom the form names. The administrator gives to anybody; salespeople take for themselves. */
export function assigneeOf({ agencia, account }: AgencyContext, form: URLSearchParams): Operador {
  const given = form.get('Operador')
  const person = agencia.operadores.find(({ accountId }) => String(accountId) === given)
  if (!person) throw invalid({ Operador: [fault('opcion', t('bandeja.assign.nobody'))] })
  if (!isAdministrator(agencia) && person.accountId !== account.id)
    throw forbidden(message('cuenta.onlyAdmin', { agency: agencia.nombre, mail: agencia.adminMail }))
  return person
}

interface PickProps {
  name: string
  value: string | number
  label: string
  /** The box has a text that people see; `label` completes it for screen readers. */
  text?: string
}

/** A box to pick a row of a list; it belongs to the `AssignForm` of the list. */
export const Pick = ({ name, value, label, text }: PickProps) => (
  <label class="pick">
    <input type="checkbox" form="asignar" name={name} value={value} />
    {text ? (
      <span>
        {text}
        <span class="visually-hidden"> {label}</span>
      </span>
    ) : (
      <span class="visually-hidden">{t('bandeja.assign.pick', { name: label })}</span>
    )}
  </label>
)

interface AssignFormProps {
  ctx: AgencyContext
  /** For a list, of `listFormPath`. */
  action: string
  /** Who has the one inquiry to be assigned. Without it, the form assigns the rows that are picked in the list above. */
  operador?: string
}

/** The administrator gives to anybody, salespeople take for themselves. */
export function AssignForm({ ctx: { agencia, account }, action, operador }: AssignFormProps) {
  const decides = isAdministrator(agencia)
  const present = agencia.operadores.find(({ email, rol }) => (operador ? email === operador : rol === 'vendedor'))
  const give = operador ? 'bandeja.assign.button' : 'bandeja.assign.picked'
  const take = operador ? 'bandeja.assign.take' : 'bandeja.assign.takePicked'
  return (
    <form id={operador ? undefined : 'asignar'} method="post" action={action} class="row assign">
      {decides ? (
        <>
          <label for={fieldId('Operador')}>{t('bandeja.assign.to')}</label>
          <select id={fieldId('Operador')} name="Operador">
            <Options choices={peopleChoices(agencia)} value={present && String(present.accountId)} />
          </select>
        </>
      ) : (
        <Hidden values={{ Operador: account.id }} />
      )}
      <button type="submit" class="secondary">
        {t(decides ? give : take)}
      </button>
    </form>
  )
}
