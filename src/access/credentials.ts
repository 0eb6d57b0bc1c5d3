import sql from 'sql-template-tag'
import type { Account } from '../accounts/account.ts'
import { audit, viaOf } from '../accounts/audit.ts'
import { endLinks, newLink, recentLinks, useLink } from '../accounts/links.ts'
import type { CeremonyAnswer, Passkeys } from '../accounts/passkeys.ts'
import { hashPassword } from '../accounts/password.ts'
import {
  recordWrongCode,
  renewRecoveryCodes,
  secondFactorOf,
  setUp,
  useRecoveryCode,
} from '../accounts/second-factor.ts'
import { endSessions, findAccounts, setPassword } from '../accounts/store.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { conflict } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import { passwordChangedEmail, passwordEmail, type SecondFactorChange, secondFactorEmail } from '../mail/compose.ts'
import { enqueueEmailTo } from '../mail/email.ts'
import type { Db, Transactional } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'

const RESET_HOURS = 2
const MAX_EMAILS = 5 // in an hour, to one account

/** What changes of access need: they notify the owner by email. */
export interface AccessDeps {
  store: Transactional
  seal: Seal
  config: Pick<Config, 'publicUrl' | 'brand'>
}

/** E-mails a link to each account with that address, one per mode. The response is the same where there is none. */
export async function requestReset({ store, seal, config }: AccessDeps, email: string): Promise<void> {
  await store.transaction(async (tx) => {
    for (const account of await findAccounts(tx, email)) {
      if ((await recentLinks(tx, account.id, 'clave')) >= MAX_EMAILS) continue
      const token = await newLink(tx, { purpose: 'clave', accountId: account.id, hours: RESET_HOURS })
      const about = { to: account.email, nombre: account.nombre, url: `${config.publicUrl}/clave/${token}` }
      const write = () => passwordEmail({ ...about, horas: RESET_HOURS, brand: config.brand.current() })
      await enqueueEmailTo(tx, seal, account.email, write)
    }
  })
}

/** Sets a password with a reset link, and ends all reset links and sessions. Undefined where the link is not valid. */
export async function resetPassword(deps: AccessDeps, token: string, password: string): Promise<Account | undefined> {
  const hash = await hashPassword(password) // before the transaction, which should not wait for it
  return deps.store.transaction(async (tx) => {
    const link = await useLink(tx, token, 'clave')
    return link && changePassword(tx, deps, link.accountId, hash)
  })
}

/** A new password ends sessions and open links; the owner gets an email, and the audit log an entry. */
async function changePassword(
  tx: Db,
  { seal, config }: Omit<AccessDeps, 'store'>,
  id: number,
  hash: string,
): Promise<Account> {
  await endLinks(tx, { accountId: id, purpose: 'clave' })
  const account = await setPassword(tx, id, hash)
  await auditAccount(tx, account, 'clave.cambiar')
  const { email: to, nombre } = account
  await enqueueEmailTo(tx, seal, to, () => passwordChangedEmail({ to, nombre, ...linksOf(config) }))
  return account
}

/** Sets a password in the session that `account` was read for. 409 if the session has ended since. */
export const changeOwnPassword = (deps: AccessDeps, account: Account, hash: string): Promise<Account> =>
  deps.store.transaction(async (tx) => {
    // Not `lockOwnAccount`: a reset changes its link before the account, and the two would wait for each other.
    const changed = await changePassword(tx, deps, account.id, hash)
    if (changed.version !== account.version + 1) throw signInAgain()
    return changed
  })

/** Ends every session of the account but the one that `account` was read for. 409 if that one has ended since. */
export const endOtherSessions = ({ store }: Pick<AccessDeps, 'store'>, account: Account): Promise<Account> =>
  store.transaction(async (tx) => {
    await lockOwnAccount(tx, account)
    return endSessions(tx, account.id)
  })

/**
 * Locks the account that a person changes in a session. 409 if the session has ended since `account` was read: a thief must
 * not renew it, nor add a second factor. Also runs changes of the second factor one after another: two removals at once would
 * each see the other factor, and leave none.
 */
export async function lockOwnAccount(tx: Db, { id, version }: Pick<Account, 'id' | 'version'>): Promise<void> {
  const rows = await tx.query(sql`select from accounts where id = ${id} and version = ${version} for no key update`)
  if (rows.length === 0) throw signInAgain()
}

const signInAgain = () => conflict({}, message('cuenta.access.signInAgain'))

/** E-mails the owner of a second factor about a change, within its transaction. */
export const notifyOwner = (
  tx: Db,
  { seal, config }: Omit<AccessDeps, 'store'>,
  { email: to, nombre }: Pick<Account, 'email' | 'nombre'>,
  about: Pick<SecondFactorChange, 'hecho' | 'porQuien'>,
): Promise<void> => enqueueEmailTo(tx, seal, to, () => secondFactorEmail({ to, nombre, ...about, ...linksOf(config) }))

/** What every email about access has: customer service, and where to request another password. */
const linksOf = (config: AccessDeps['config']) => ({
  brand: config.brand.current(),
  claveUrl: `${config.publicUrl}/clave`,
})

/** Takes a recovery code and notifies the owner, because the codes may be stolen too. */
export const recover = (deps: AccessDeps, account: Account, code: string): Promise<boolean> =>
  deps.store.transaction(async (tx) => {
    if (!(await useRecoveryCode(tx, deps.seal, account.id, code))) return false
    await auditAccount(tx, account, 'codigo-de-recuperacion.usar')
    await notifyOwner(tx, deps, account, { hecho: 'recuperacion' })
    return true
  })

/** What a person does about their own access, in the audit log. */
export const auditAccount = (db: Db, account: Account, act: string): Promise<void> =>
  audit(db, { accountId: account.id, via: viaOf(account), act, subject: `cuenta ${account.id}` })

/** Sets up the phone that was offered in this session, ends all others, and notifies the owner: it may be somebody else. */
export const securePhone = (deps: AccessDeps & { clock: Clock }, account: Account, session: string, code: string) =>
  deps.store.transaction(async (tx) => {
    await lockOwnAccount(tx, account)
    const codes = await setUp(tx, deps.seal, { ...account, session }, code, deps.clock())
    if (!codes) return undefined
    await auditAccount(tx, account, 'segundo-paso.configurar')
    await notifyOwner(tx, deps, account, { hecho: 'configurado' })
    return { codes, account: await endSessions(tx, account.id) }
  })

/** Stores a passkey and notifies the owner. The first one comes with recovery codes. */
export const addPasskey = (
  deps: AccessDeps & { passkeys: Passkeys },
  account: Account,
  answer: CeremonyAnswer,
  nombre: string,
) =>
  deps.store.transaction(async (tx) => {
    await lockOwnAccount(tx, account)
    if (!(await deps.passkeys.register(tx, account, answer, nombre))) return undefined
    const { recovery } = await secondFactorOf(tx, account.id)
    await auditAccount(tx, account, 'llave.agregar')
    await notifyOwner(tx, deps, account, { hecho: 'llave' })
    return { codes: recovery === 0 ? await renewRecoveryCodes(tx, deps.seal, account.id) : undefined }
  })

/** Records a wrong code; the owner gets an email when no attempts are left. */
export const wrongCode = (deps: AccessDeps, account: Account, left: number): Promise<void> =>
  deps.store.transaction(async (tx) => {
    if (await recordWrongCode(tx, account, left)) await notifyOwner(tx, deps, account, { hecho: 'intentos' })
  })
