import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'
import type { Account, MemberRol } from './account.ts'

/** A person on the marketplace's staff. */
export interface StaffMember extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword'> {
  /** True if the second factor is set up. */
  secured: boolean
  since: Date
}

const members = (db: Db, which: Sql): Promise<StaffMember[]> =>
  db.query<StaffMember>(sql`
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword",
           s.sealed_totp is not null as secured, s.created_at as since
    from staff s join accounts a on a.id = s.account_id where s.ended_at is null ${which}`)

export const listStaff = (db: Db): Promise<StaffMember[]> => members(db, sql`order by a.email`)

export interface StaffFilters {
  /** Part of a name or a mail. */
  q?: string | undefined
  /** Of the second factor. */
  segundo?: 'activo' | 'sin-configurar' | undefined
}

/** The staff, page by page, newest account first. */
export async function listStaffForStaff(
  db: Db,
  { q, segundo }: StaffFilters,
  cursor: Cursor<number>,
): Promise<ResultPage<StaffMember>> {
  const { within, order, limit } = keysetBy(sql`a.id`, cursor)
  const conditions: Sql[] = [within]
  if (q) conditions.push(sql`position(lower(${q}) in lower(concat_ws(' ', a.nombre, a.apellido, a.email))) > 0`)
  if (segundo) conditions.push(segundo === 'activo' ? sql`s.sealed_totp is not null` : sql`s.sealed_totp is null`)
  return resultPage(await members(db, sql`and ${join(conditions, ' and ')} order by ${order} limit ${limit}`), cursor)
}

/** While there is no staff, the server prints a sign-up link when it starts. */
export async function hasStaff(db: Db): Promise<boolean> {
  const [row] = await db.query<{ any: boolean }>(sql`
    select exists (select from staff where ended_at is null) as any`)
  return row?.any ?? false
}

/**
 * Adds an account to the staff; one that returns sets up a new second factor. Every session ends, because one that was
 * opened before, with fewer rights, must not set up the second factor.
 */
export async function addStaff(tx: Db, accountId: number): Promise<void> {
  await tx.query(sql`
    with joined as (
      insert into staff (account_id) values (${accountId})
      on conflict (account_id) do update
        set ended_at = null, sealed_totp = null, totp_step = 0, recovery_hashes = '{}'
        where staff.ended_at is not null
      returning account_id)
    update accounts set version = version + 1 where id in (select account_id from joined)`)
}

/** Joining and leaving run one after another: of two who remove each other one stays, and only one is the first. */
export async function lockStaff(tx: Db): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('staff'))`)
}

/** A person with an open invitation to the staff. */
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
  const gone = await tx.query(sql`
    with gone as (
      update staff set ended_at = now()
      where account_id = ${accountId} and ended_at is null
        and exists (select from staff other where other.account_id <> ${accountId} and other.ended_at is null)
      returning account_id)
    update accounts set version = version + 1 where id in (select account_id from gone) returning id`)
  return gone.length > 0
}

/** A person of the staff or of a partner's team. */
export interface StaffOrDeveloper
  extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword' | 'staff'> {
  /** True if the second factor is set up; only the staff has one. */
  secured: boolean
  apps: { appKey: string; rol: MemberRol }[]
  /** Has an open invitation to the staff. */
  invited: boolean
}

/** The staff, those invited to it, and developers. */
export const listStaffAndDevelopers = (db: Db): Promise<StaffOrDeveloper[]> =>
  db.query<StaffOrDeveloper>(sql`
    with invited as (
      select distinct account_id from account_links
      where purpose = 'personal' and used_at is null and expires_at > now() and account_id is not null)
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword",
           s.account_id is not null as staff, s.sealed_totp is not null as secured,
           k.account_id is not null as invited,
           coalesce((select json_agg(json_build_object('appKey', p.app_key, 'rol', m.rol) order by p.id)
                     from app_members m join apps p on p.id = m.app_id where m.account_id = a.id), '[]') as apps
    from accounts a left join staff s on s.account_id = a.id and s.ended_at is null
      left join invited k on k.account_id = a.id
    where s.account_id is not null or k.account_id is not null
      or exists (select from app_members m where m.account_id = a.id)
    order by a.email`)
