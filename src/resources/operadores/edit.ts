import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { etagOf, namesEtagStrongly } from '../../http/etag.ts'
import { changedSinceRead, type Errors, invalid, notFound } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import { normalizeLine } from '../../text.ts'
import type { AgenciaOfApp, Operador } from '../agencias/agencia.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { openForEdit, tellEdit } from '../agencias/edit.ts'
import { isTelephone } from '../agencias/fields.ts'
import { findAgencia } from '../agencias/read.ts'
import { type OperadoresEdit, operadoresEntry } from './operadores.ts'

export const NO_SUCH_AGENCIA = 'No existe esa agencia para la app.'

type Given = OperadoresEdit['Operadores'][number]

/**
 * An app says how the people of an agency are presented there; their accounts stay as they are. The administrator is told
 * by mail, the other apps by an event. Refusals in the house's order: form, 404, 403, 412, meaning.
 */
export const editOperadores = (
  deps: AgenciasDeps,
  app: App,
  adminMail: string,
  { Operadores: given }: OperadoresEdit,
  ifMatch?: string,
): Promise<AgenciaOfApp> =>
  deps.store.transaction(async (tx) => {
    refuse(
      given.map(({ Telefono }) => Telefono && !isTelephone(Telefono)),
      'Telefono',
      'Debe ser un número de teléfono.',
    )
    if (!(await findAgencia(tx, app, adminMail))) throw notFound(NO_SUCH_AGENCIA)
    const edit = await openForEdit(tx, app, adminMail)
    const before = edit.agencia.operadores
    const entry = JSON.stringify(operadoresEntry(edit.agencia))
    if (ifMatch !== undefined && !namesEtagStrongly(ifMatch, etagOf(entry))) throw changedSinceRead()
    const mails = given.map(({ Email }) => Email.toLowerCase())
    refuse(
      mails.map((mail) => !before.some(({ email }) => email === mail)),
      'Email',
      'No trabaja en la agencia.',
    )
    refuse(
      mails.map((mail, at) => mails.indexOf(mail) < at),
      'Email',
      'Está repetido.',
    )

    for (const person of given) await write(tx, edit.agencia.id, person)
    const agencia = (await findAgencia(tx, app, adminMail)) ?? edit.agencia
    const changes = agencia.operadores.flatMap((operador, at) => {
      const [antes, despues] = [inWords(before[at] as Operador), inWords(operador)]
      return antes === despues ? [] : { campo: `Operador ${operador.email}`, antes, despues }
    })
    if (changes.length > 0) await tellEdit(tx, deps, edit, changes)
    return agencia
  })

function refuse(wrong: readonly unknown[], member: string, reason: string): void {
  const errors: Errors = {}
  wrong.forEach((each, at) => {
    if (each) errors[`Operadores[${at}].${member}`] = [reason]
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** What the account says already is not said again, so that it follows the account. */
async function write(tx: Db, agenciaId: number, { Email, Nombre, Apellido, Telefono, WhatsApp }: Given): Promise<void> {
  await tx.query(sql`
    update operadores o
    set nombre = nullif(${tidy(Nombre)}, c.nombre), apellido = nullif(${tidy(Apellido)}, c.apellido),
        telefono = ${tidy(Telefono)}, whatsapp = ${tidy(WhatsApp)}
    from accounts c
    where c.id = o.account_id and o.agencia_id = ${agenciaId} and c.email = ${Email.toLowerCase()}`)
}

const tidy = (text: string | null | undefined): string | null => (text && normalizeLine(text)) || null

/** In a line, for the letter and the history. */
const inWords = ({ nombre, apellido, telefono, whatsapp }: Operador): string =>
  [`${nombre} ${apellido}`.trim(), telefono, whatsapp].filter(Boolean).join(', ')
