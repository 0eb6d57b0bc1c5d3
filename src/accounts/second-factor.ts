import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'
import type { Account } from './account.ts'
import { audit, viaOf } from './audit.ts'

const STEP_SECONDS = 30 // RFC 6238, 5.2
/** A phone's clock may be one step off (RFC 6238, 6). */
const DRIFT_STEPS = 1
const SECRET_BYTES = 20 // RFC 4226, 4 (R6) recommends 160 bits
const RECOVERY_CODES = 10
const RECOVERY_LETTERS = 12 // of 31 signs: 59 bits
/** Without look-alikes. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'

export interface SecondFactor {
  /** True if codes of an app on a phone are set up. */
  totp: boolean
  passkeys: number
  /** How many recovery codes are left. */
  recovery: number
}

/** The SQL condition that an account has a second factor. */
export const isSecured = (accountId: Sql): Sql => sql`(
  exists (select from second_factors f where f.account_id = ${accountId} and f.sealed_totp is not null)
  or exists (select from passkeys p where p.account_id = ${accountId}))`

export async function secondFactorOf(db: Db, accountId: number): Promise<SecondFactor> {
  const [row] = await db.query<SecondFactor>(sql`
    select coalesce(f.sealed_totp is not null, false) as totp, coalesce(cardinality(f.recovery_hashes), 0) as recovery,
           (select count(*) from passkeys p where p.account_id = a.id) as passkeys
    from accounts a left join second_factors f on f.account_id = a.id where a.id = ${accountId}`)
  return row ?? { totp: false, passkeys: 0, recovery: 0 }
}

export type Offered = Pick<Account, 'id' | 'email' | 'version'> & { session: string }

/**
 * The secret that is offered to an account that has none yet. It follows from the session, so that loading the page
 * again, or another node, offers the same, and no other session of the account ever saw it; whatever ends a second factor
 * ends sessions, and with them this offer. The secret is to type (base32), the URI to scan.
 */
export function offerSetup(seal: Seal, account: Offered, issuer = ''): { secret: string; uri: string } {
  const { id, version, session } = account
  const offered = seal.hash(`${id} ${version} ${session}`, 'totp-offer').subarray(0, SECRET_BYTES)
  const secret = new Secret({ buffer: new Uint8Array(offered).buffer })
  return {
    secret: secret.base32,
    uri: totp(secret.base32, { label: account.email, issuer: issuer.replace(/\s*:\s*/g, ' ') }).toString(),
  }
}

export type Setup = ReturnType<typeof offerSetup>

/**
 * Stores the offered secret if the code is right, and returns the recovery codes, only this once. It replaces a former
 * phone: the caller checks that the person may do that.
 */
export async function setUp(
  tx: Db,
  seal: Seal,
  account: Offered,
  code: string,
  now: Date,
): Promise<string[] | undefined> {
  const { secret } = offerSetup(seal, account)
  const step = stepOf(secret, code, now)
  if (step === undefined) return undefined
  await tx.query(sql`
    insert into second_factors (account_id, sealed_totp, totp_step)
    values (${account.id}, ${seal.seal(secret, purposeOf(account.id))}, ${step})
    on conflict (account_id) do update set sealed_totp = excluded.sealed_totp, totp_step = excluded.totp_step`)
  return renewRecoveryCodes(tx, seal, account.id)
}

const update = (db: Db, accountId: number, change: Sql, condition: Sql): Promise<boolean> =>
  db.changes(sql`
    update second_factors set ${change} where account_id = ${accountId} and ${condition} returning account_id`)

/** Checks a code. Each is accepted once, even if two requests show it at the same time. */
export async function showCode(db: Db, seal: Seal, accountId: number, code: string, now: Date): Promise<boolean> {
  const [row] = await db.query<{ sealed: Buffer | null }>(sql`
    select sealed_totp as sealed from second_factors where account_id = ${accountId}`)
  if (!row?.sealed) return false
  const step = stepOf(seal.open(row.sealed, purposeOf(accountId)), code, now)
  if (step === undefined) return false
  return update(db, accountId, sql`totp_step = ${step}`, sql`sealed_totp = ${row.sealed} and totp_step < ${step}`)
}

/** Uses a recovery code, which replaces a lost phone or passkey. */
export function useRecoveryCode(db: Db, seal: Seal, accountId: number, code: string): Promise<boolean> {
  const hash = hashOf(seal, accountId, code)
  const change = sql`recovery_hashes = array_remove(recovery_hashes, ${hash})`
  return update(db, accountId, change, sql`${hash} = any(recovery_hashes)`)
}

export async function renewRecoveryCodes(db: Db, seal: Seal, accountId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await db.query(sql`
    insert into second_factors (account_id, recovery_hashes) values (${accountId}, ${hashesOf(seal, accountId, codes)})
    on conflict (account_id) do update set recovery_hashes = excluded.recovery_hashes`)
  return codes
}

/** Removes the phone. Without a passkey the recovery codes go too. */
export async function removeTotp(tx: Db, accountId: number): Promise<boolean> {
  const removed = await update(tx, accountId, sql`sealed_totp = null, totp_step = 0`, sql`sealed_totp is not null`)
  await removeUnusedCodes(tx, accountId)
  return removed
}

/** Recovery codes replace a second factor: without one they have no use. */
export async function removeUnusedCodes(tx: Db, accountId: number): Promise<void> {
  await tx.query(sql`
    delete from second_factors where account_id = ${accountId} and not ${isSecured(sql`${accountId}`)}`)
}

/** Removes phone, passkeys and recovery codes, and ends every session; also what the previous version reads. */
export async function resetSecondFactor(tx: Db, accountId: number): Promise<boolean> {
  await tx.query(sql`select from accounts where id = ${accountId} for no key update`) // before its factors, as their owner locks them
  return tx.changes(sql`
    with phone as (delete from second_factors where account_id = ${accountId} returning account_id),
         keys as (delete from passkeys where account_id = ${accountId} returning account_id),
         former as (
           update staff set sealed_totp = null, totp_step = 0, recovery_hashes = '{}'
           where account_id = ${accountId} and sealed_totp is not null returning account_id)
    update accounts set version = version + 1
    where id in (select account_id from phone union select account_id from keys union select account_id from former) returning id`)
}

/** A colon ends the issuer in the label of the URI. */
const totp = (secret: string, names: { label?: string; issuer?: string } = {}): TOTP =>
  new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })

/** The time step of a code, if it is near now. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined // the library throws on characters of more than one byte
  const timestamp = now.getTime()
  const delta = totp(secret).validate({ token, timestamp, window: DRIFT_STEPS })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
}

/** Bound to the account, so that a secret copied to another row does not open. */
const purposeOf = (accountId: number | string) => `totp ${accountId}`

/** The column in staff is what the previous version reads. */
export const SEALED_TOTP = ['second_factors', 'staff'].map(
  (table): SealedColumn => ({
    table,
    id: 'account_id',
    idType: 'int',
    column: 'sealed_totp',
    owner: 'account_id',
    purpose: purposeOf,
  }),
)

function newRecoveryCodes(): string[] {
  const sign = () => SIGNS[randomInt(SIGNS.length)]
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LETTERS }, sign)
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/** Ignores spaces, hyphens and case. */
const hashOf = (seal: Seal, accountId: number, code: string) =>
  seal.hash(`${accountId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`, 'recovery-code')

const hashesOf = (seal: Seal, accountId: number, codes: string[]) => codes.map((code) => hashOf(seal, accountId, code))

const LIMIT_ACT = 'segundo-paso.limite'

/** The sender of a wrong code knew the password. True if the owner must be notified: no attempts are left, and no email was sent in the last day. */
export async function recordWrongCode(tx: Db, account: Account, left: number): Promise<boolean> {
  const { id: accountId } = account
  const wrong = { accountId, via: viaOf(account), subject: `cuenta ${accountId}` }
  await audit(tx, { ...wrong, act: 'segundo-paso.fallido' })
  if (left > 0) return false
  const notified = await tx.query(sql`
    select from audit_log
    where account_id = ${accountId} and act = ${LIMIT_ACT} and at > now() - interval '24 hours' limit 1`)
  if (notified.length > 0) return false
  await audit(tx, { ...wrong, act: LIMIT_ACT })
  return true
}
