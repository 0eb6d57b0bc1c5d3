import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import { hashPassword, isPasswordOf } from '../../accounts/password.ts'
import { createAccount, findAccount, findAccountById, setName } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import type { Errors } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import type { Agencia, AgenciaData, Invitacion } from './agencia.ts'
import type { AgenciasDeps } from './deps.ts'
import { establish } from './establish.ts'
import { type Registration, type RegistrationForm, readForm } from './form.ts'
import { findInvitacionByToken, lockInvitacion } from './invited.ts'
import { findAgenciaById } from './store.ts'

/** What a link in a mail leads to. `expired` says why; `registered-already` asks its owner to sign in. */
export type ReadInvitation =
  | { kind: 'open' | 'registered-already'; invitacion: Invitacion; app: App }
  | { kind: 'used'; app: App; adminMail: string }
  | { kind: 'expired'; app: App; adminMail: string; estado: 'vencida' | 'revocada' | 'rebotada' }
  | { kind: 'unknown' }

export type Registered =
  | { kind: 'registered'; account: Account; agencia: Agencia }
  | { kind: 'invalid'; errors: Errors; candidates: unknown[] }
  | { kind: 'used' | 'expired' | 'unknown' | 'sign-in' }

const DOUBLE_SUBMIT_SECONDS = 600

/** Reads a link without using it up: mail scanners open links. */
export async function readInvitation(db: Db, token: string): Promise<ReadInvitation> {
  const found = await findInvitacionByToken(db, token)
  if (!found) return { kind: 'unknown' }
  const { app, agenciaId: _, sinceEndSeconds: __, ...invitacion } = found
  const { estado, adminMail } = invitacion
  if (estado === 'aceptada') return { kind: 'used', app, adminMail }
  if (app.disabled) return { kind: 'expired', app, adminMail, estado: 'revocada' }
  if (estado !== 'pendiente') return { kind: 'expired', app, adminMail, estado }
  const account = await findAccount(db, invitacion.modo, adminMail)
  return { kind: account?.hasPassword ? 'registered-already' : 'open', invitacion, app }
}

/**
 * Registers the agency that was invited: account, agency, association and event are one transaction, and a double
 * submit registers once. A person who has an account already gives it, signed in, and chooses no password.
 */
export async function register(
  deps: AgenciasDeps,
  token: string,
  form: RegistrationForm,
  account?: Account,
): Promise<Registered> {
  const read = await readInvitation(deps.store, token)
  if (read.kind === 'used') return submittedTwice(deps.store, token, form)
  if (read.kind === 'unknown' || read.kind === 'expired') return { kind: read.kind }
  if (read.kind === 'registered-already' && account?.email !== read.invitacion.adminMail) return { kind: 'sign-in' }

  const registration = readForm(deps.matcher, form, read.invitacion.adminMail, account)
  if ('errors' in registration) return { kind: 'invalid', ...registration }

  const passwordHash = account ? undefined : await hashPassword(registration.clave)
  const made = await deps.store.transaction((tx) => settle(tx, deps, token, registration, account ?? passwordHash))
  return made.kind === 'used' ? submittedTwice(deps.store, token, form) : made
}

async function settle(
  tx: Db,
  deps: AgenciasDeps,
  token: string,
  registration: Registration,
  who: Account | string | undefined,
): Promise<Registered> {
  const invitacion = await lockInvitacion(tx, token)
  if (!invitacion) return { kind: 'unknown' }
  if (invitacion.estado === 'aceptada') return { kind: 'used' }
  if (invitacion.estado !== 'pendiente' || invitacion.app.disabled) return { kind: 'expired' }

  const account = await accountFor(tx, invitacion, registration, who)
  if (!account) return { kind: 'sign-in' }
  const agencia = await establish(tx, deps, invitacion.app, account, dataOf(invitacion, registration))
  if (!agencia) return { kind: 'sign-in' } // another app's link was used a moment ago
  await accepted(tx, invitacion.id, agencia.id)
  return { kind: 'registered', account, agencia }
}

async function accountFor(
  tx: Db,
  { modo, adminMail }: Invitacion,
  { adminNombre: nombre, adminApellido: apellido }: Registration,
  who: Account | string | undefined,
): Promise<Account | undefined> {
  if (typeof who !== 'object') {
    if (who === undefined) throw new Error('A new account needs a password.')
    return createAccount(tx, { modo, email: adminMail, nombre, apellido, passwordHash: who })
  }
  if (who.modo !== modo || who.email !== adminMail) return undefined
  if (!who.nombre || !who.apellido) await setName(tx, who.id, nombre, apellido)
  return findAccountById(tx, who.id)
}

const dataOf = ({ direccion }: Invitacion, { nombre, telefono, place }: Registration): AgenciaData => ({
  ...{ nombre, telefono, direccion, ...place },
  ...{ razonSocial: null, idFiscal: null, whatsapp: null, sitioWeb: null, codigoPostal: null },
})

/** The invitation has done its work. */
export async function accepted(tx: Db, invitacionId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    update invitaciones set estado = 'aceptada', ended_at = now(), agencia_id = ${agenciaId}
    where id = ${invitacionId}`)
}

/** Who pressed the button twice ends where the first press leads, if the password is the same. */
async function submittedTwice(db: Db, token: string, form: RegistrationForm): Promise<Registered> {
  const found = await findInvitacionByToken(db, token)
  if (!found?.agenciaId || (found.sinceEndSeconds ?? DOUBLE_SUBMIT_SECONDS) >= DOUBLE_SUBMIT_SECONDS)
    return { kind: 'used' }
  const account = await findAccount(db, found.modo, found.adminMail)
  const agencia = await findAgenciaById(db, found.agenciaId)
  if (!account || !agencia || !(await isPasswordOf(db, account, form.Clave ?? ''))) return { kind: 'used' }
  return { kind: 'registered', account, agencia }
}
