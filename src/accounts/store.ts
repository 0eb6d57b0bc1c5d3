import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Account } from './account.ts'

const COLUMNS = sql`
  id, modo, email, nombre, apellido, version, password_hash is not null as "hasPassword",
  exists (select from staff s where s.account_id = accounts.id and s.ended_at is null) as staff,
  exists (select from app_members m where m.account_id = accounts.id) as develops`

export interface NewAccount {
  modo: Account['modo']
  email: string
  nombre: string
  apellido: string
  /** From `hashPassword`. */
  passwordHash: string
}

/** The account of that mail in that mode, if there is one. */
export async function findAccount(db: Db, modo: Account['modo'], email: string): Promise<Account | undefined> {
  const [account] = await db.query<Account>(sql`
    select ${COLUMNS} from accounts where modo = ${modo} and email = ${email.toLowerCase()}`)
  return account
}

/** The accounts of that mail, production first: whoever signs in or forgot a password does not say which mode. */
export const findAccounts = (db: Db, email: string): Promise<Account[]> =>
  db.query<Account>(sql`select ${COLUMNS} from accounts where email = ${email.toLowerCase()} order by modo`)

export async function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  const [account] = await db.query<Account>(sql`select ${COLUMNS} from accounts where id = ${id}`)
  return account
}

/** The account that a session belongs to, unless that session has been left; one question, since every page asks it. */
export async function findAccountOfSession(
  db: Db,
  id: number,
  session: string | undefined,
): Promise<Account | undefined> {
  const [account] = await db.query<Account>(
    sql`
    select ${COLUMNS} from accounts
    where id = ${id} and not exists (select from ended_sessions e where e.id = ${session ?? null}::uuid)`,
    'keep-plan',
  )
  return account
}

/** Ends one session, on every node at once. */
export async function endSession(db: Db, session: string): Promise<void> {
  await db.query(sql`insert into ended_sessions (id) values (${session}) on conflict do nothing`)
}

const COOKIES_LAPSE_DAYS = 31 // a day after they do

/** What has lapsed by itself need not be remembered as ended. */
export const forgetEndedSessions = (db: Db): Promise<unknown> =>
  db.query(sql`delete from ended_sessions where ended_at < now() - make_interval(days => ${COOKIES_LAPSE_DAYS})`)

/**
 * Makes an account, or completes one that was only ever invited. Undefined where the mail has an account with a
 * password: then its owner must sign in. Two at once meet at the unique index.
 */
export async function createAccount(
  tx: Db,
  { modo, email, nombre, apellido, passwordHash }: NewAccount,
): Promise<Account | undefined> {
  const [account] = await tx.query<Account>(sql`
    insert into accounts (modo, email, nombre, apellido, password_hash)
    values (${modo}, ${email.toLowerCase()}, ${nombre}, ${apellido}, ${passwordHash})
    on conflict (modo, email) do update
      set nombre = excluded.nombre, apellido = excluded.apellido, password_hash = excluded.password_hash
      where accounts.password_hash is null
    returning ${COLUMNS}`)
  return account
}

/** The account of that mail, made without a password where there was none: what a `colaborar` link hangs on. */
export async function ensureAccount(tx: Db, modo: Account['modo'], email: string): Promise<Account> {
  await tx.query(sql`
    insert into accounts (modo, email) values (${modo}, ${email.toLowerCase()}) on conflict (modo, email) do nothing`)
  const account = await findAccount(tx, modo, email)
  if (!account) throw new Error('The account was not made.')
  return account
}

/** Sets how the person is called. */
export async function setName(tx: Db, id: number, nombre: string, apellido: string): Promise<void> {
  await tx.query(sql`update accounts set nombre = ${nombre}, apellido = ${apellido} where id = ${id}`)
}

/** Changes the password, which ends every session; the account returned has the new version. */
export async function setPassword(tx: Db, id: number, passwordHash: string): Promise<Account> {
  const [account] = await tx.query<Account>(sql`
    update accounts set password_hash = ${passwordHash}, version = version + 1 where id = ${id} returning ${COLUMNS}`)
  if (!account) throw new Error(`There is no account ${id}.`)
  return account
}

/** Ends every session of an account at once, on every node. */
export async function endSessions(tx: Db, id: number): Promise<Account> {
  const [account] = await tx.query<Account>(sql`
    update accounts set version = version + 1 where id = ${id} returning ${COLUMNS}`)
  if (!account) throw new Error(`There is no account ${id}.`)
  return account
}
