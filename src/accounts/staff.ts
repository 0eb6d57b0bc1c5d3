import sql, { join, type Sql } from 'sql-template-tag'
import { type Db, type Store, transactionOr } from '../store/db.ts'
import { type Cursor, keysetBy, resultPage } from '../store/keyset.ts'
import type { Account, MemberRol } from './account.ts'
import { audit } from './audit.ts'
import { endLinks, newLink, readLink, useLink } from './links.ts'
import { isSecured } from './second-factor.ts'
import { createAccount, findAccountById, type NewAccount, setFirstIdioma } from './store.ts'

/** `lectura` reads everything and changes nothing. */
export type StaffRol = 'personal' | 'lectura'

export interface StaffMember extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword'> {
  rol: StaffRol
  /** True if the second factor is set up. */
  secured: boolean
  /** True if they sign in at the marketplace's own provider, which asks for the second factor. */
  viaOidc: boolean
  since: Date
}

const members = (db: Db, condition: Sql): Promise<StaffMember[]> =>
  db.query<StaffMember>(sql`
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword",
           ${isSecured(sql`a.id`)} as secured, s.rol, s.via_oidc as "viaOidc", s.created_at as since
    from staff s join accounts a on a.id = s.account_id where s.ended_at is null ${condition}`)

export const listStaff = (db: Db): Promise<StaffMember[]> => members(db, sql`order by a.email`)

interface StaffFilters {
  /** Part of a name or a mail. */
  q?: string | undefined
  /** Of the second factor. */
  segundo?: 'activo' | 'empresa' | 'sin-configurar' | undefined
}

export async function listStaffForStaff(db: Db, { q, segundo }: StaffFilters, cursor: Cursor<number>) {
  const { within, order, limit } = keysetBy(sql`a.id`, cursor)
  const conditions: Sql[] = [within]
  if (q) conditions.push(sql`position(lower(${q}) in lower(concat_ws(' ', a.nombre, a.apellido, a.email))) > 0`)
  if (segundo) conditions.push(sql`${isSecured(sql`a.id`)} = ${segundo === 'activo'}`)
  if (segundo && segundo !== 'activo') conditions.push(sql`s.via_oidc = ${segundo === 'empresa'}`)
  return resultPage(await members(db, sql`and ${join(conditions, ' and ')} order by ${order} limit ${limit}`), cursor)
}

/** While there is no staff, the server prints a sign-up link when it starts. */
const hasStaff = (db: Db): Promise<boolean> => db.hasRows(sql`select from staff where ended_at is null limit 1`)

/** Every session ends: one opened with fewer rights must not set up the second factor. */
export async function addStaff(tx: Db, accountId: number): Promise<void> {
  await tx.query(sql`
    with joined as (
      insert into staff (account_id) values (${accountId})
      on conflict (account_id) do update set ended_at = null, rol = 'personal', via_oidc = false where staff.ended_at is not null
      returning account_id)
    update accounts set version = version + 1 where id in (select account_id from joined)`)
}

/** Joining and leaving run one after another: of two who remove each other one stays, and only one is the first. */
export async function lockStaff(tx: Db): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('staff'))`)
}

export interface InvitedStaff {
  id: number
  email: string
  expires: Date
}

export const listInvitedStaff = (db: Db): Promise<InvitedStaff[]> =>
  db.query<InvitedStaff>(sql`
    select a.id, a.email, max(l.expires_at) as expires from account_links l join accounts a on a.id = l.account_id
    where l.purpose = 'personal' and l.used_at is null and l.expires_at > now() group by a.id, a.email order by a.email`)

/** Removes a person from the staff and ends their sessions. False: they are not on it, or nobody would be left. */
export async function removeStaff(tx: Db, accountId: number): Promise<boolean> {
  await lockStaff(tx)
  return tx.changes(sql`
    with gone as (
      update staff set ended_at = now()
      where account_id = ${accountId} and ended_at is null
        and exists (select from staff other where other.account_id <> ${accountId} and other.ended_at is null)
      returning account_id)
    update accounts set version = version + 1 where id in (select account_id from gone) returning id`)
}

export interface StaffOrDeveloper
  extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword' | 'staff'> {
  /** True if a second factor is set up. */
  secured: boolean
  apps: { appKey: string; rol: MemberRol }[]
  invited: boolean
}

export const listStaffAndDevelopers = (db: Db): Promise<StaffOrDeveloper[]> =>
  db.query<StaffOrDeveloper>(sql`
    with invited as (
      select distinct account_id from account_links
      where purpose = 'personal' and used_at is null and expires_at > now() and account_id is not null)
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword",
           s.account_id is not null as staff, ${isSecured(sql`a.id`)} as secured,
           k.account_id is not null as invited,
           coalesce((select json_agg(json_build_object('appKey', p.app_key, 'rol', m.rol) order by p.id)
                     from app_members m join apps p on p.id = m.app_id where m.account_id = a.id), '[]') as apps
    from accounts a left join staff s on s.account_id = a.id and s.ended_at is null
      left join invited k on k.account_id = a.id
    where s.account_id is not null or k.account_id is not null
      or exists (select from app_members m where m.account_id = a.id)
    order by a.email`)

const FIRST_HOURS = 24 // short, because the link is printed on a terminal

/** A link to join the staff. Without an account it is for the first staff member. */
type StaffInvitation = { kind: 'open'; account?: Account } | { kind: 'used' | 'expired' | 'unknown' }

/** A person who is signed in, or the data of a new one. */
type Joining = { account: Account } | (Omit<NewAccount, 'modo'> & { account?: undefined })

/** The token of a link for the first staff member, while there is none. Several nodes may issue one; all end together. */
export async function firstStaffToken(db: Db): Promise<string | undefined> {
  if (await hasStaff(db)) return undefined
  return newLink(db, { purpose: 'personal', accountId: null, hours: FIRST_HOURS })
}

export async function readStaffInvitation(db: Db, token: string): Promise<StaffInvitation> {
  const link = await readLink(db, token, 'personal')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  if (link.accountId === 0) return (await hasStaff(db)) ? { kind: 'used' } : { kind: 'open' }
  const account = await findAccountById(db, link.accountId)
  return account ? { kind: 'open', account } : { kind: 'unknown' }
}

/**
 * Joins the staff, once; a person with a password must be signed in as the invited account. `joined`: the account has the
 * new session version. `sign-in`: the address has an account, whose owner must sign in first; the link stays as it was.
 */
export const joinStaff = (store: Store, token: string, who: Joining) =>
  transactionOr<{ kind: 'joined'; account: Account } | { kind: 'used' | 'sign-in' }>(store, async (tx, rollBack) => {
    await lockStaff(tx)
    const link = await useLink(tx, token, 'personal')
    const first = link?.accountId === 0
    if (!link || (first && (await hasStaff(tx)))) return { kind: 'used' }
    const account = who.account ?? (await createAccount(tx, { modo: 'produccion', ...who }))
    if (!account || (!first && account.id !== link.accountId)) return rollBack({ kind: 'sign-in' })
    const { id } = account
    await addStaff(tx, id)
    await setFirstIdioma(tx, id)
    const member = await findAccountById(tx, id)
    if (!member) throw new Error(`There is no account ${id}.`)
    await endLinks(tx, { accountId: first ? null : id, purpose: 'personal' })
    await audit(tx, { accountId: id, via: 'consola', act: 'personal.sumarse', subject: `cuenta ${id}` })
    return { kind: 'joined', account: member }
  })
