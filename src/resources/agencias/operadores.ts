import sql from 'sql-template-tag'
import { type Account, fullName, isMailAddress } from '../../accounts/account.ts'
import { endLinks, newLink, type Rol } from '../../accounts/links.ts'
import { endSessions, ensureAccount, findAccountById, setName } from '../../accounts/store.ts'
import { administratorEmail, collaboratorEmail } from '../../mail/compose.ts'
import { enqueueEmailTo } from '../../mail/email.ts'
import type { Joining } from '../../store/db.ts'
import type { Agencia } from './agencia.ts'
import type { AgenciasDeps } from './context.ts'
import { lockByAdministrator, recordChanges } from './edit.ts'
import { isBlocked, isOverInvitacionLimit, isOverMailLimit, lockAddress } from './invitacion-store.ts'
import { agenciasOfAccount, findAgenciaById, lockAgencia, operadoresOf } from './read.ts'
import { ADMIN_MAIL_CHARACTERS } from './schema.ts'

const LINK_HOURS = 7 * 24

interface OperadorInvitation {
  agencia: Agencia
  email: string
  /** An `administrador` replaces the present one. */
  rol: Rol
  /** Undefined: the marketplace. */
  by?: Account | undefined
}

/** Invites somebody to work at an agency; they accept with the link in the email (`join.ts`). */
export async function inviteOperador(
  deps: Joining<AgenciasDeps>,
  { agencia, email: written, rol, by }: OperadorInvitation,
): Promise<{ kind: 'invited' | 'invalid' | 'already' | 'too-many' | 'blocked' | 'flood' }> {
  const email = written.trim().toLowerCase()
  if (!isMailAddress(email, ADMIN_MAIL_CHARACTERS)) return { kind: 'invalid' }
  return deps.store.transaction(async (tx) => {
    await lockAddress(tx, agencia.modo, email)
    if (by) await lockByAdministrator(tx, by) // who may have been replaced since the request was authorised
    const existing = (await operadoresOf(tx, agencia.id)).find((operador) => operador.email === email)
    if (existing && (existing.rol === 'administrador' || rol === 'vendedor')) return { kind: 'already' }
    if (await isOverMailLimit(tx, rol === 'administrador' ? 'administrador' : 'colaborar', email))
      return { kind: 'too-many' }
    // The marketplace may invite without these limits.
    if (by && (await isBlocked(tx, email))) return { kind: 'blocked' }
    if (by && (await isOverInvitacionLimit(tx, { agenciaId: agencia.id }))) return { kind: 'flood' }
    const account = await ensureAccount(tx, agencia.modo, email)
    await endLinks(tx, { accountId: account.id, purpose: 'colaborar', agenciaId: agencia.id })
    const link = { purpose: 'colaborar', accountId: account.id, agenciaId: agencia.id, rol, hours: LINK_HOURS } as const
    const url = `${deps.config.publicUrl}/colaborar/${await newLink(tx, link)}`
    await enqueueEmailTo(tx, deps.seal, email, () => emailOf(deps, { agencia, email, rol, by }, url))
    return { kind: 'invited' }
  })
}

function emailOf({ config }: Joining<AgenciasDeps>, { agencia, email, rol, by }: OperadorInvitation, url: string) {
  const brand = config.brand.current()
  const porQuien = by ? fullName(by) : brand.nombre
  const about = { to: email, agencia: agencia.nombre, porQuien, url, brand, horas: LINK_HOURS }
  return rol === 'administrador' ? administratorEmail(about) : collaboratorEmail(about)
}

/** Removes an operador: signed out everywhere, links ended. An administrator is replaced instead. */
export async function removeOperador(deps: Joining<AgenciasDeps>, agencia: Agencia, accountId: number, by?: Account) {
  return deps.store.transaction(async (tx) => {
    const account = await findAccountById(tx, accountId)
    if (!account || account.modo !== agencia.modo) return false
    await lockAddress(tx, account.modo, account.email)
    const apps = by ? (await lockByAdministrator(tx, by)).apps : await lockAgencia(tx, agencia.id)
    const removed = await tx.query(sql`
      delete from operadores
      where agencia_id = ${agencia.id} and account_id = ${accountId} and rol = 'vendedor' returning account_id`)
    await endLinks(tx, { accountId, purpose: 'colaborar', agenciaId: agencia.id })
    if (removed.length === 0) return false
    await endSessions(tx, accountId)
    const change = { campo: 'Operadores', antes: account.email, despues: null }
    await recordChanges(tx, deps, { agencia, apps, by: by && { account: by } }, [change])
    return true
  })
}

/** Takes back an invitation. False if it was accepted or ended meanwhile. A person who works at the agency stays. */
export async function withdrawInvitation(
  deps: Joining<AgenciasDeps>,
  agencia: Agencia,
  accountId: number,
  by?: Account,
): Promise<boolean> {
  return deps.store.transaction(async (tx) => {
    if (by) await lockByAdministrator(tx, by)
    return (await endLinks(tx, { accountId, purpose: 'colaborar', agenciaId: agencia.id })) > 0
  })
}

/** Changes a person's name, and notifies the apps of every agency that shows it. */
export async function renameOperador(deps: AgenciasDeps, account: Account, name: { nombre: string; apellido: string }) {
  await deps.store.transaction(async (tx) => {
    const before = (await agenciasOfAccount(tx, account)).sort((a, b) => a.id - b.id)
    const apps: number[][] = []
    for (const { id } of before) apps.push(await lockAgencia(tx, id))
    await setName(tx, account.id, name.nombre, name.apellido)
    for (const [at, former] of before.entries()) {
      const agencia = await findAgenciaById(tx, former.id)
      const antes = shownName(former, account)
      const despues = agencia && shownName(agencia, account)
      // An agency may present a person with a name of its own, which does not change.
      if (!agencia || antes === undefined || despues === undefined || antes === despues) continue
      const change = { campo: `Operador ${account.email}`, antes, despues }
      await recordChanges(tx, deps, { agencia, apps: apps[at] ?? [], by: { account } }, [change])
    }
  })
}

function shownName({ operadores }: Agencia, { id }: Account): string | undefined {
  const operador = operadores.find(({ accountId }) => accountId === id)
  return operador && fullName(operador)
}
