import sql, { type Sql } from 'sql-template-tag'
import { currentLocale } from '../i18n/locale.ts'
import type { Db } from '../store/db.ts'
import type { Account } from './account.ts'
import { isSecured } from './second-factor.ts'

const isStaff = (condition: Sql): Sql =>
  sql`exists (select from staff s where s.account_id = accounts.id and s.ended_at is null and ${condition})`

const COLUMNS = sql`
  id, modo, email, nombre, apellido, version, idioma, password_hash is not null as "hasPassword",
  ${isStaff(sql`true`)} as staff,
  ${isStaff(sql`s.rol = 'lectura'`)} as "readOnly", ${isStaff(sql`s.via_oidc`)} as "viaOidc",
  exists (select from app_members m where m.account_id = accounts.id) as develops,
  ${isSecured(sql`accounts.id`)} as secured`

export interface NewAccount {
  modo: Account['modo']
  email: string
  nombre: string
  apellido: string
  /** From `hashPassword`. */
  passwordHash: string
}

const findBy = (db: Db, condition: Sql): Promise<Account | undefined> =>
  db.first<Account>(sql`select ${COLUMNS} from accounts where ${condition}`)

export const findAccount = (db: Db, modo: Account['modo'], email: string) =>
  findBy(db, sql`modo = ${modo} and email = ${email.toLowerCase()}`)

/** The accounts of an address, production first: signing in does not tell the mode. */
export const findAccounts = (db: Db, email: string): Promise<Account[]> =>
  db.query<Account>(sql`select ${COLUMNS} from accounts where email = ${email.toLowerCase()} order by modo`)

export const findAccountById = (db: Db, id: number) => findBy(db, sql`id = ${id}`)

/** The account of a session that has not ended, in one query because every page needs it. */
export const findAccountOfSession = (db: Db, id: number, session: string | undefined) =>
  db.first<Account & { lastSeenAt: Date | null }>(
    sql`
      select ${COLUMNS}, (select last_seen_at from sessions where id = ${session ?? null}::uuid) as "lastSeenAt"
      from accounts
      where id = ${id} and not exists (select from ended_sessions e where e.id = ${session ?? null}::uuid)`,
    'keep-plan',
  )

/** Completes an invited account. Undefined if it has a password already: its owner must sign in. */
export const createAccount = (
  tx: Db,
  { modo, email, nombre, apellido, passwordHash }: NewAccount,
): Promise<Account | undefined> =>
  tx.first<Account>(sql`
    insert into accounts (modo, email, nombre, apellido, password_hash)
    values (${modo}, ${email.toLowerCase()}, ${nombre}, ${apellido}, ${passwordHash})
    on conflict (modo, email) do update
      set nombre = excluded.nombre, apellido = excluded.apellido, password_hash = excluded.password_hash
      where accounts.password_hash is null
    returning ${COLUMNS}`)

/** The account of an address, created without a password if there was none; an invitation refers to it. */
export async function ensureAccount(tx: Db, modo: Account['modo'], email: string): Promise<Account> {
  await tx.query(sql`
    insert into accounts (modo, email) values (${modo}, ${email.toLowerCase()}) on conflict (modo, email) do nothing`)
  const account = await findAccount(tx, modo, email)
  if (!account) throw new Error('The account was not created.')
  return account
}

/** The language of a person's emails. */
export async function setIdioma(tx: Db, id: number, idioma: string): Promise<void> {
  await tx.query(sql`update accounts set idioma = ${idioma} where id = ${id}`)
}

/** The language of the page on which a person registers or joins, unless the account has one. */
export async function setFirstIdioma(tx: Db, id: number): Promise<void> {
  await tx.query(sql`update accounts set idioma = ${currentLocale()} where id = ${id} and idioma is null`)
}

export async function setName(tx: Db, id: number, nombre: string, apellido: string): Promise<void> {
  await tx.query(sql`update accounts set nombre = ${nombre}, apellido = ${apellido} where id = ${id}`)
}

async function update(tx: Db, id: number, change: Sql): Promise<Account> {
  const [account] = await tx.query<Account>(sql`update accounts set ${change} where id = ${id} returning ${COLUMNS}`)
  if (!account) throw new Error(`There is no account ${id}.`)
  return account
}

/** Ends every session of an account at once, on every node; returns the account with its new version. */
export const endSessions = (tx: Db, id: number) => update(tx, id, sql`version = version + 1`)

export const setPassword = (tx: Db, id: number, passwordHash: string) =>
  update(tx, id, sql`version = version + 1, password_hash = ${passwordHash}`)
