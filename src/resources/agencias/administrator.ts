import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import { endAdministratorLinks } from '../../accounts/links.ts'
import { endSessions } from '../../accounts/store.ts'
import { replacedEmail } from '../../mail/compose.ts'
import { enqueueEmailTo } from '../../mail/email.ts'
import type { Db } from '../../store/db.ts'
import type { Agencia } from './agencia.ts'
import { makeAdministrator } from './associations.ts'
import type { AgenciasDeps } from './context.ts'
import { recordChanges } from './edit.ts'
import { lockAddress } from './invitacion-store.ts'
import { findAgenciaById, lockAgencia } from './read.ts'

const ALIAS_DAYS = 90 // docs/decisions/agencies.md

/**
 * The former administrator leaves. The agency's address changes too; the old one stays valid for 90 days. Undefined if the
 * person administers another agency.
 */
export async function replaceAdministrator(
  tx: Db,
  deps: AgenciasDeps,
  agenciaId: number,
  account: Account,
): Promise<Agencia | undefined> {
  await lockAddress(tx, account.modo, account.email)
  const apps = await lockAgencia(tx, agenciaId)
  const agencia = await findAgenciaById(tx, agenciaId)
  if (!agencia || agencia.modo !== account.modo) throw new Error(`There is no agency ${agenciaId} for this account.`)
  const before = agencia.operadores.find(({ rol }) => rol === 'administrador')
  if (before?.accountId === account.id) return agencia
  if (await administersAnother(tx, account)) return undefined

  if (before) {
    await tx.query(sql`delete from operadores where agencia_id = ${agenciaId} and account_id = ${before.accountId}`)
    await endSessions(tx, before.accountId)
  }
  await makeAdministrator(tx, agenciaId, account.id)
  await endAdministratorLinks(tx, agenciaId)
  await changeAddress(tx, agencia, account.email)
  const change = { campo: 'AdminMail', antes: agencia.adminMail, despues: account.email }
  const moved = (await findAgenciaById(tx, agenciaId)) as Agencia
  const edit = { by: { account }, agencia: moved, apps }
  await recordChanges(tx, deps, edit, [change], { AdminMailAnterior: agencia.adminMail })
  const brand = deps.config.brand.current()
  const content = { to: agencia.adminMail, agencia: agencia.nombre, nuevo: account.email, brand }
  await enqueueEmailTo(tx, deps.seal, content.to, () => replacedEmail(content))
  return moved
}

const administersAnother = (tx: Db, { id }: Account): Promise<boolean> =>
  tx.hasRows(sql`select from operadores where account_id = ${id} and rol = 'administrador'`)

async function changeAddress(tx: Db, { id, modo, adminMail }: Agencia, email: string): Promise<void> {
  await tx.query(sql`delete from agencia_aliases where modo = ${modo} and admin_mail = ${email}`)
  await tx.query(sql`update agencias set admin_mail = ${email}, updated_at = now() where id = ${id}`)
  await tx.query(sql`
    insert into agencia_aliases (modo, admin_mail, agencia_id, expires_at)
    values (${modo}, ${adminMail}, ${id}, now() + make_interval(days => ${ALIAS_DAYS}))
    on conflict (modo, admin_mail) do update set agencia_id = excluded.agencia_id, expires_at = excluded.expires_at`)
}
