import sql from 'sql-template-tag'
import { type Account, isNewcomer } from '../../accounts/account.ts'
import { type Rol, readLink, useLink } from '../../accounts/links.ts'
import { hashPassword, newcomerFaults } from '../../accounts/password.ts'
import { createAccount, findAccountById, setFirstIdioma } from '../../accounts/store.ts'
import type { Errors } from '../../http/problems.ts'
import { type Db, transactionOr } from '../../store/db.ts'
import { lineOrNull } from '../../text.ts'
import { replaceAdministrator } from './administrator.ts'
import type { Agencia } from './agencia.ts'
import type { AgenciasDeps } from './context.ts'
import { recordChanges } from './edit.ts'
import { lockAddress } from './invitacion-store.ts'
import { findAgenciaById, lockAgencia } from './read.ts'

export type ReadCollaboration =
  | { kind: 'open'; account: Account; agencia: Agencia; rol: Rol }
  | { kind: 'used' | 'expired' | 'unknown' }

type JoinForm = Partial<Record<'Nombre' | 'Apellido' | 'Clave', string | undefined>>

type Joined =
  | { kind: 'joined'; account: Account; agencia: Agencia; rol: Rol }
  | { kind: 'invalid'; errors: Errors }
  | { kind: 'used' | 'expired' | 'unknown' | 'sign-in' | 'administers-another' }

/** Reads a link without using it up. */
export async function readCollaboration(db: Db, token: string): Promise<ReadCollaboration> {
  const link = await readLink(db, token, 'colaborar')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  const account = await findAccountById(db, link.accountId)
  const agencia = link.agenciaId === null ? undefined : await findAgenciaById(db, link.agenciaId)
  return account && agencia && link.rol ? { kind: 'open', account, agencia, rol: link.rol } : { kind: 'unknown' }
}

/** Uses the link once; a person without a password chooses it here. An `administrador` replaces the former one. */
export async function join(deps: AgenciasDeps, token: string, form: JoinForm, signedIn?: Account): Promise<Joined> {
  const read = await readCollaboration(deps.store, token)
  if (read.kind !== 'open') return read
  const isNew = isNewcomer(read.account, signedIn)
  if (!isNew && signedIn?.id !== read.account.id) {
    // The password may come from this link, if another request used it after we had read it.
    const again = await readCollaboration(deps.store, token)
    return again.kind === 'open' ? { kind: 'sign-in' } : again
  }
  const errors = isNew ? faults(form, read.account.email) : {}
  if (Object.keys(errors).length > 0) return { kind: 'invalid', errors }
  const passwordHash = isNew ? await hashPassword(form.Clave ?? '') : undefined

  return transactionOr(deps.store, async (tx, rollBack) => {
    await lockAddress(tx, read.account.modo, read.account.email)
    // Before the link, as by those who withdraw or replace it.
    const apps = await lockAgencia(tx, read.agencia.id)
    const link = await useLink(tx, token, 'colaborar')
    if (!link) return { kind: 'used' }
    const account =
      passwordHash === undefined ? read.account : await completeAccount(tx, read.account, form, passwordHash)
    if (!account) return rollBack({ kind: 'sign-in' })
    await setFirstIdioma(tx, account.id)
    if (read.rol !== 'administrador') return addSalesperson(tx, deps, account, { agencia: read.agencia, apps })
    const agencia = await replaceAdministrator(tx, deps, read.agencia.id, account)
    return agencia
      ? { kind: 'joined', account, agencia, rol: 'administrador' }
      : rollBack({ kind: 'administers-another' })
  })
}

const faults = ({ Nombre, Apellido, Clave = '' }: JoinForm, email: string): Errors =>
  newcomerFaults({ Nombre: lineOrNull(Nombre), Apellido: lineOrNull(Apellido) }, Clave, email)

const completeAccount = (tx: Db, { modo, email }: Account, form: JoinForm, passwordHash: string) =>
  createAccount(tx, {
    modo,
    email,
    nombre: lineOrNull(form.Nombre) ?? '',
    apellido: lineOrNull(form.Apellido) ?? '',
    passwordHash,
  })

async function addSalesperson(
  tx: Db,
  deps: AgenciasDeps,
  account: Account,
  { agencia: { id }, apps }: { agencia: Agencia; apps: number[] },
): Promise<Joined> {
  const added = await tx.query(sql`
    insert into operadores (agencia_id, account_id, rol) values (${id}, ${account.id}, 'vendedor')
    on conflict (agencia_id, account_id) do nothing returning account_id`)
  const agencia = await findAgenciaById(tx, id)
  if (!agencia) throw new Error(`There is no agency ${id}.`)
  const change = { campo: 'Operadores', antes: null, despues: account.email }
  if (added.length > 0) await recordChanges(tx, deps, { agencia, apps, by: { account } }, [change])
  return { kind: 'joined', account, agencia, rol: 'vendedor' }
}
