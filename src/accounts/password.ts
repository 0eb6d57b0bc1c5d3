import { readFileSync } from 'node:fs'
import { hash, verify } from '@node-rs/argon2'
import sql from 'sql-template-tag'
import { t } from '../i18n/messages.tsx'
import { lazy } from '../memoize.ts'
import { MODOS, type Modo } from '../modo.ts'
import type { Db } from '../store/db.ts'
import { normalize } from '../text.ts'
import { type Account, NAME_CHARACTERS } from './account.ts'
import { findAccountById } from './store.ts'

export const MIN_PASSWORD = 8 // characters; NIST SP 800-63B asks for length, not for kinds of characters
export const MAX_PASSWORD = 200 // characters: bounds the cost of hashing
/** UTF-16 units as typed: a keyboard may send a letter and its accents apart. */
const MAX_TYPED = 4 * MAX_PASSWORD

/** Argon2id with the first of OWASP's settings: 19 MiB, two passes. The library's defaults, written down. */
export const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let cost = COST
/** For tests, which sign in thousands of times. */
export const setPasswordCost = (other: typeof COST): void => void (cost = other)

export const hashPassword = (password: string): Promise<string> => hash(normal(password), cost)

/** True for a text that cannot be a password: it is neither normalised nor hashed. */
export const isTooLongPassword = (password: string): boolean => password.length > MAX_TYPED

export const passwordTooLong = () => t('comun.password.tooLong', { max: MAX_PASSWORD })

/** Why a password cannot be chosen, in the language of the request; undefined if it can. */
export function passwordFault(password: string, email = ''): string | undefined {
  if (isTooLongPassword(password)) return passwordTooLong()
  const normalized = normal(password)
  const { length } = [...normalized]
  if (length < MIN_PASSWORD) return t('comun.password.tooShort', { min: MIN_PASSWORD })
  if (length > MAX_PASSWORD) return passwordTooLong()
  const plain = normalized.toLowerCase()
  if (email && (plain === email.toLowerCase() || plain === email.toLowerCase().split('@')[0]))
    return t('comun.password.isEmail')
  if (isObvious(plain) || commonPasswords().has(plain)) return t('comun.password.common')
  return undefined
}

/** What is wrong with the names and the password of a new account, by field of its form. */
export function newcomerFaults(names: Record<'Nombre' | 'Apellido', string | null>, password: string, email: string) {
  const errors: Record<string, string[]> = {}
  for (const field of ['Nombre', 'Apellido'] as const) {
    const name = names[field]
    if (!name) errors[field] = [t(`comun.field.missing.${field}`)]
    else if ([...name].length > NAME_CHARACTERS) errors[field] = [t('comun.field.tooLong', { max: NAME_CHARACTERS })]
  }
  const weakness = passwordFault(password, email)
  return weakness ? { ...errors, Clave: [weakness] } : errors
}

/**
 * The account with this address and password. Production and test may share a mail: the password decides, and
 * `prefer` where both have the same. Both modes are always checked, so that an unknown address takes as long as a known one.
 */
export async function checkPassword(
  db: Db,
  email: string,
  password: string,
  prefer: Modo = 'produccion',
): Promise<Account | undefined> {
  if (isTooLongPassword(password)) return undefined
  const typed = normal(password)
  const rows = await db.query<{ id: number; modo: Modo; hash: string | null }>(sql`
    select id, modo, password_hash as hash from accounts where email = ${email.trim().toLowerCase()}`)
  const opened: typeof rows = []
  for (const modo of MODOS) {
    const row = rows.find((each) => each.modo === modo)
    if ((await isRight(row?.hash, typed)) && row) opened.push(row)
  }
  const chosen = opened.find(({ modo }) => modo === prefer) ?? opened[0]
  return chosen && findAccountById(db, chosen.id)
}

/** Checks the password again before an act that cannot be undone. */
export async function isPasswordOf(db: Db, account: Account, password: string): Promise<boolean> {
  if (isTooLongPassword(password)) return false
  const [row] = await db.query<{ hash: string | null }>(sql`
    select password_hash as hash from accounts where id = ${account.id}`)
  return isRight(row?.hash, normal(password))
}

/** Without a hash another one is verified, so that the answer takes as long. */
async function isRight(hash: string | null | undefined, typed: string): Promise<boolean> {
  return (await verify(hash ?? (await placeholderHash()), typed)) && hash != null
}

const placeholderHash = lazy(() => hashPassword('there is nobody here'))

/** The same letters typed on two keyboards are the same password. */
const normal = (password: string) => normalize(password, 'NFKC', MAX_TYPED)

/** The passwords that attackers try first, in lower case; only those that are long enough (NOTICE names the source). */
const commonPasswords = lazy(
  () =>
    new Set(
      readFileSync(new URL('./data/common-passwords.txt', import.meta.url), 'utf8')
        .trimEnd()
        .split('\n'),
    ),
)

/**
 * True if it has fewer than four different characters, or if at least half of it are letters and digits and these have fewer than
 * four different ones, or are nothing but a run of the keyboard or the alphabet, or a common word.
 */
function isObvious(plain: string): boolean {
  const runs = [
    'abcdefghijklmnñopqrstuvwxyz',
    '01234567890123456789',
    '98765432109876543210',
    'qwertyuiopasdfghjklzxcvbnm',
  ]
  if (new Set(plain).size < 4) return true
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, '')
  if (bare.length < plain.length / 2) return false
  if (new Set(bare).size < 4) return true
  return runs.some((run) => run.includes(bare)) || /^(contraseña|contrasena|password|qwerty)\d*$/.test(bare)
}
