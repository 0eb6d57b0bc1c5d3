import type { Account } from '../../accounts/account.ts'
import { hashPassword, isPasswordOf, passwordFault } from '../../accounts/password.ts'
import { createAccount, findAccount, findAccountById, setFirstIdioma, setName } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { type Errors, textsOf } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { isTelephone } from '../../phone.ts'
import type { Db } from '../../store/db.ts'
import { lineOrNull } from '../../text.ts'
import type { Agencia, AgenciaData, Invitacion, Place } from './agencia.ts'
import { associate, establish, INVITER, lockAsociacion } from './associations.ts'
import type { AgenciasDeps } from './context.ts'
import { requireAdministrator } from './edit.ts'
import { findInvitacionByToken, lockInvitacion, markAccepted } from './invitacion-store.ts'
import { confirmPlace, isFault } from './place.ts'
import { agenciaOfAccount, findAgenciaById } from './read.ts'

export type RegistrationForm = Partial<
  Record<'Nombre' | 'AdminNombre' | 'AdminApellido' | 'Telefono' | 'Region' | 'Ciudad' | 'Clave', string | undefined>
>

interface Registration {
  nombre: string
  adminNombre: string
  adminApellido: string
  telefono: string | null
  place: Place
  clave: string
}

const MAX_CHARACTERS = { Nombre: 120, AdminNombre: 50, AdminApellido: 50 } as const // as in AgenciaCreate

/** The registration in a form, or all its faults by field. */
function readForm(
  matcher: Matcher,
  form: RegistrationForm,
  adminMail: string,
  account: Account | undefined,
): Registration | { errors: Errors; candidates: unknown[] } {
  const errors: Errors = {}
  const required = (name: keyof typeof MAX_CHARACTERS, missing: string): string => {
    const value = lineOrNull(form[name])
    if (!value) errors[name] = [missing]
    else if ([...value].length > MAX_CHARACTERS[name])
      errors[name] = [t('comun.field.tooLong', { max: MAX_CHARACTERS[name] })]
    return value ?? ''
  }
  const nombre = required('Nombre', t('registro.form.agencyNameMissing'))
  const adminNombre = account?.nombre || required('AdminNombre', t('comun.field.missing.Nombre'))
  const adminApellido = account?.apellido || required('AdminApellido', t('comun.field.missing.Apellido'))
  const telefono = lineOrNull(form.Telefono)
  if (telefono && !isTelephone(telefono)) errors.Telefono = [t('cuenta.contact.Telefono')]
  const clave = form.Clave ?? ''
  const weakness = account ? undefined : passwordFault(clave, adminMail)
  if (weakness) errors.Clave = [weakness]

  const place = confirmPlace(matcher, form)
  if (isFault(place)) return { errors: { ...errors, ...textsOf(place.errors) }, candidates: place.candidates }
  if (Object.keys(errors).length > 0) return { errors, candidates: [] }
  return { nombre, adminNombre, adminApellido, telefono, place, clave }
}

/** The state of an invitation's link. With `registered-already` its owner signs in. */
export type ReadInvitacion =
  | { kind: 'open' | 'registered-already'; invitacion: Invitacion; app: App }
  | { kind: 'used'; app: App; adminMail: string }
  | { kind: 'expired'; app: App; adminMail: string; estado: 'vencida' | 'revocada' | 'rebotada' }
  | { kind: 'unknown' }

export type Registered =
  | { kind: 'registered'; account: Account; agencia: Agencia }
  | { kind: 'invalid'; errors: Errors; candidates: unknown[] }
  | { kind: 'used' | 'expired' | 'unknown' | 'sign-in' }

const DOUBLE_SUBMIT_SECONDS = 600

/** Reads a link without using it up, because mail scanners open links. */
export async function readInvitacion(db: Db, token: string): Promise<ReadInvitacion> {
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

/** A double submit registers once. `account` is of a signed-in person, who chooses no password. */
export async function register(
  deps: AgenciasDeps,
  token: string,
  form: RegistrationForm,
  account?: Account,
): Promise<Registered> {
  const read = await readInvitacion(deps.store, token)
  if (read.kind === 'used') return submittedTwice(deps.store, token, form)
  if (read.kind === 'unknown' || read.kind === 'expired') return { kind: read.kind }
  if (read.kind === 'registered-already' && account?.email !== read.invitacion.adminMail) {
    // The first of two submits may have committed between the reads of invitation and account.
    const again = await readInvitacion(deps.store, token)
    return again.kind === 'used' ? submittedTwice(deps.store, token, form) : { kind: 'sign-in' }
  }

  const registration = readForm(deps.matcher, form, read.invitacion.adminMail, account)
  if ('errors' in registration) return { kind: 'invalid', ...registration }

  const owner = account ?? { passwordHash: await hashPassword(registration.clave) }
  const result = await deps.store.transaction((tx) => registerInTransaction(tx, deps, token, registration, owner))
  return result.kind === 'used' ? submittedTwice(deps.store, token, form) : result
}

async function registerInTransaction(
  tx: Db,
  deps: AgenciasDeps,
  token: string,
  registration: Registration,
  owner: Account | { passwordHash: string },
): Promise<Registered> {
  const invitacion = await lockInvitacion(tx, token)
  if (!invitacion) return { kind: 'unknown' }
  if (invitacion.estado === 'aceptada') return { kind: 'used' }
  if (invitacion.estado !== 'pendiente' || invitacion.app.disabled) return { kind: 'expired' }

  const account = await accountFor(tx, invitacion, registration, owner)
  if (!account) return { kind: 'sign-in' }
  await setFirstIdioma(tx, account.id)
  const agencia = await establish(tx, deps, invitacion.app, account, dataOf(invitacion, registration))
  if (!agencia) return { kind: 'sign-in' } // another app's link was used at the same time
  await markAccepted(tx, invitacion.id, agencia.id)
  return { kind: 'registered', account, agencia }
}

async function accountFor(
  tx: Db,
  { modo, adminMail }: Invitacion,
  { adminNombre: nombre, adminApellido: apellido }: Registration,
  owner: Account | { passwordHash: string },
): Promise<Account | undefined> {
  if ('passwordHash' in owner) return createAccount(tx, { modo, email: adminMail, nombre, apellido, ...owner })
  if (owner.modo !== modo || owner.email !== adminMail) return undefined
  if (!owner.nombre || !owner.apellido) await setName(tx, owner.id, nombre, apellido)
  return findAccountById(tx, owner.id)
}

const dataOf = ({ direccion }: Invitacion, { nombre, telefono, place }: Registration): AgenciaData => ({
  nombre,
  telefono,
  direccion,
  ...place,
  razonSocial: null,
  idFiscal: null,
  whatsapp: null,
  sitioWeb: null,
  codigoPostal: null,
})

/** A double submit gets the result of the first, if the password is the same. */
async function submittedTwice(db: Db, token: string, form: RegistrationForm): Promise<Registered> {
  const found = await findInvitacionByToken(db, token)
  if (!found?.agenciaId || (found.sinceEndSeconds ?? DOUBLE_SUBMIT_SECONDS) >= DOUBLE_SUBMIT_SECONDS)
    return { kind: 'used' }
  const account = await findAccount(db, found.modo, found.adminMail)
  const agencia = await findAgenciaById(db, found.agenciaId)
  if (!account || !agencia || !(await isPasswordOf(db, account, form.Clave ?? ''))) return { kind: 'used' }
  return { kind: 'registered', account, agencia }
}

/** `no-agency`: the person has an account without an agency, and needs the form (`register`). */
type Accepted =
  | { kind: 'associated'; agencia: Agencia }
  | { kind: 'used' | 'expired' | 'unknown' | 'other-account' | 'no-agency' }

/** The signed-in owner of the address accepts another app's invitation: that app is associated too. */
export async function acceptInvitacion(deps: AgenciasDeps, token: string, account: Account): Promise<Accepted> {
  return deps.store.transaction(async (tx) => {
    const invitacion = await lockInvitacion(tx, token)
    if (!invitacion) return { kind: 'unknown' }
    if (invitacion.estado === 'aceptada') return { kind: 'used' }
    if (invitacion.estado !== 'pendiente' || invitacion.app.disabled) return { kind: 'expired' }
    if (account.modo !== invitacion.modo || account.email !== invitacion.adminMail) return { kind: 'other-account' }

    const agencia = await agenciaOfAccount(tx, account)
    if (agencia?.rol !== 'administrador') return { kind: 'no-agency' }
    await lockAsociacion(tx, invitacion.app, agencia)
    await requireAdministrator(tx, account, agencia.id) // who may have been replaced meanwhile
    await setFirstIdioma(tx, account.id)
    await associate(tx, deps, { app: invitacion.app, agencia, permisos: INVITER }, { keep: true })
    await markAccepted(tx, invitacion.id, agencia.id)
    return { kind: 'associated', agencia }
  })
}
