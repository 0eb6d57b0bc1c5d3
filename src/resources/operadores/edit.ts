import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { requireCurrent } from '../../http/encoded-body.ts'
import { type Fault, type FaultMap, fault, refuse } from '../../http/problems.ts'
import { isTelephone } from '../../phone.ts'
import type { Db } from '../../store/db.ts'
import { lineOrNull } from '../../text.ts'
import type { AgenciaOfApp, Operador } from '../agencias/agencia.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { lockByApp, recordEdit } from '../agencias/edit.ts'
import { findAgencia, requireAgencia } from '../agencias/read.ts'
import { type OperadoresEdit, operadoresEntry } from './operadores.ts'

type Given = OperadoresEdit['Operadores'][number]

/** Changes how people are presented, not their accounts. Refusals in this order: form, 404, 403, 412, meaning. */
export const editOperadores = (
  deps: AgenciasDeps,
  app: App,
  adminMail: string,
  { Operadores: given }: OperadoresEdit,
  ifMatch?: string,
): Promise<AgenciaOfApp> =>
  deps.store.transaction(async (tx) => {
    refuseRows(
      given.map(({ Telefono }) => Telefono && !isTelephone(Telefono)),
      'Telefono',
      fault('formato', 'Debe ser un número de teléfono.'),
    )
    await requireAgencia(tx, app, adminMail)
    const edit = await lockByApp(tx, app, adminMail)
    const before = edit.agencia.operadores
    requireCurrent(ifMatch, () => [operadoresEntry(edit.agencia)])
    const mails = given.map(({ Email }) => Email.toLowerCase())
    refuseRows(
      mails.map((mail) => !before.some(({ email }) => email === mail)),
      'Email',
      fault('no-colabora', 'No trabaja en la agencia.'),
    )
    refuseRows(
      mails.map((mail, at) => mails.indexOf(mail) < at),
      'Email',
      fault('repetido', 'Está repetido.'),
    )

    for (const person of given) await write(tx, edit.agencia.id, person)
    const agencia = (await findAgencia(tx, app, adminMail)) ?? edit.agencia
    const changes = agencia.operadores.flatMap((operador, at) => {
      const antes = summaryOf(before[at] as Operador)
      const despues = summaryOf(operador)
      return antes === despues ? [] : { campo: `Operador ${operador.email}`, antes, despues }
    })
    if (changes.length > 0) await recordEdit(tx, deps, edit, changes)
    return agencia
  })

function refuseRows(wrong: readonly unknown[], member: string, reason: Fault): void {
  const errors: FaultMap = {}
  wrong.forEach((each, at) => {
    if (each) errors[`Operadores[${at}].${member}`] = [reason]
  })
  refuse(errors)
}

/** Names equal to the account's are not stored, so that they follow the account. */
async function write(tx: Db, agenciaId: number, { Email, Nombre, Apellido, Telefono, WhatsApp }: Given): Promise<void> {
  await tx.query(sql`
    update operadores o
    set nombre = nullif(${lineOrNull(Nombre)}, c.nombre), apellido = nullif(${lineOrNull(Apellido)}, c.apellido),
        telefono = ${lineOrNull(Telefono)}, whatsapp = ${lineOrNull(WhatsApp)}
    from accounts c
    where c.id = o.account_id and o.agencia_id = ${agenciaId} and c.email = ${Email.toLowerCase()}`)
}

/** For the email and the history. */
const summaryOf = ({ nombre, apellido, telefono, whatsapp }: Operador): string =>
  [`${nombre} ${apellido}`.trim(), telefono, whatsapp].filter(Boolean).join(', ')
