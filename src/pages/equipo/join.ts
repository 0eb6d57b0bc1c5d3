import type { Account } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import { readLink, useLink } from '../../accounts/links.ts'
import { lockTeam, type MemberRol, setMember } from '../../accounts/members.ts'
import { hashPassword, passwordFault } from '../../accounts/password.ts'
import { createAccount, findAccountById } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import { findAppById } from '../../apps/store.ts'
import type { Errors } from '../../http/problems.ts'
import type { Db, Store } from '../../store/db.ts'

/** Whom a link asks to work on which app; without a password yet, they choose one. */
export type ReadInvitation =
  | { kind: 'open'; account: Account; app: App; rol: MemberRol }
  | { kind: 'used' | 'expired' | 'unknown' }

/** What somebody new says of themselves, one line each. */
export interface Newcomer {
  Nombre: string
  Apellido: string
  Clave: string
}

export type JoinedTeam =
  | { kind: 'joined'; account: Account; app: App }
  | { kind: 'invalid'; errors: Errors }
  | { kind: 'used' | 'expired' | 'unknown' | 'sign-in' }

const NAME_CHARACTERS = 50

/** Reads a link without using it up. */
export async function readInvitation(db: Db, token: string): Promise<ReadInvitation> {
  const link = await readLink(db, token, 'equipo')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  const account = await findAccountById(db, link.accountId)
  const app = link.appId === null ? undefined : await findAppById(db, link.appId)
  return account && app && link.rol ? { kind: 'open', account, app, rol: link.rol } : { kind: 'unknown' }
}

/** Joins the team that asked, once. Who has a password comes signed in; who has none chooses it here. */
export async function joinTeam(
  store: Store,
  token: string,
  newcomer: Newcomer,
  signedIn: Account | undefined,
): Promise<JoinedTeam> {
  const read = await readInvitation(store, token)
  if (read.kind !== 'open') return read
  const { account: invitee, app } = read
  if (invitee.hasPassword && signedIn?.id !== invitee.id) return { kind: 'sign-in' }
  const errors = invitee.hasPassword ? {} : faults(newcomer, invitee.email)
  if (Object.keys(errors).length > 0) return { kind: 'invalid', errors }
  const passwordHash = invitee.hasPassword ? undefined : await hashPassword(newcomer.Clave)

  return store
    .transaction(async (tx): Promise<JoinedTeam> => {
      await lockTeam(tx, app.id)
      const link = await useLink(tx, token, 'equipo')
      if (!link?.rol) return { kind: 'used' }
      const { Nombre: nombre, Apellido: apellido } = newcomer
      const made = { modo: 'produccion', email: invitee.email, nombre, apellido } as const
      const account = passwordHash === undefined ? invitee : await createAccount(tx, { ...made, passwordHash })
      if (!account) throw new MustSignIn()
      await setMember(tx, app.id, account.id, link.rol)
      await audit(tx, { accountId: account.id, via: 'portal', act: 'equipo.sumarse', subject: app.appKey })
      return { kind: 'joined', account: { ...account, develops: true }, app }
    })
    .catch((error) => {
      if (error instanceof MustSignIn) return { kind: 'sign-in' }
      throw error
    })
}

/** Ends the transaction: the link stays as it was, and whoever chose a password meanwhile comes with it. */
class MustSignIn extends Error {}

function faults({ Nombre, Apellido, Clave }: Newcomer, email: string): Errors {
  const weakness = passwordFault(Clave, email)
  const named = Object.entries({ Nombre, Apellido }).flatMap(([name, value]): [string, string[]][] => {
    if (!value) return [[name, ['Falta este dato.']]]
    return [...value].length > NAME_CHARACTERS ? [[name, [`Puede tener hasta ${NAME_CHARACTERS} caracteres.`]]] : []
  })
  return { ...Object.fromEntries(named), ...(weakness && { Clave: [weakness] }) }
}
