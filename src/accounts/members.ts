import sql, { empty } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Account, MemberRol } from './account.ts'
import { endLinks } from './links.ts'

/** A member of an app's team. A titular decides about the team and its keys; a developer works with it. */
export interface AppMember extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword'> {
  rol: MemberRol
  since: Date
}

interface Membership {
  appKey: string
  rol: MemberRol
}

export const membershipsOf = (db: Db, accountId: number, condition = empty): Promise<Membership[]> =>
  db.query<Membership>(sql`
    select a.app_key as "appKey", m.rol from app_members m join apps a on a.id = m.app_id
    where m.account_id = ${accountId} ${condition} order by a.nombre, a.id`)

export const membershipOf = async (db: Db, accountId: number, appKey: string): Promise<Membership | undefined> =>
  (await membershipsOf(db, accountId, sql`and a.app_key = ${appKey}`))[0]

export const listMembers = (db: Db, appId: number): Promise<AppMember[]> =>
  db.query<AppMember>(sql`
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword", m.rol,
           m.created_at as since
    from app_members m join accounts a on a.id = m.account_id where m.app_id = ${appId} order by m.rol desc, a.email`)

export async function setMember(tx: Db, appId: number, accountId: number, rol: MemberRol): Promise<void> {
  await tx.query(sql`
    insert into app_members (app_id, account_id, rol) values (${appId}, ${accountId}, ${rol})
    on conflict (app_id, account_id) do update set rol = excluded.rol`)
}

export interface PendingMember {
  accountId: number
  email: string
  rol: MemberRol
  expires: Date
}

export const pendingMembers = (db: Db, appId: number): Promise<PendingMember[]> =>
  db.query<PendingMember>(sql`
    select l.account_id as "accountId", a.email, l.rol, l.expires_at as expires
    from account_links l join accounts a on a.id = l.account_id
    where l.purpose = 'equipo' and l.app_id = ${appId} and l.used_at is null and l.expires_at > now() order by a.email`)

/** Changes of a team run one after another, so that an app is never left without a titular. */
export const lockTeam = (tx: Db, appId: number): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`team ${appId}`}, 0))`)

/** True for the app's only titular. Call it with the team locked. */
export async function isLastTitular(tx: Db, appId: number, accountId: number): Promise<boolean> {
  const titulares = (await listMembers(tx, appId)).filter(({ rol }) => rol === 'titular')
  return titulares.length === 1 && titulares[0]?.id === accountId
}

/** Also ends their open invitations. `last`: the only titular cannot leave. `gone`: not in the team. */
export async function leaveTeam(tx: Db, appId: number, accountId: number): Promise<'left' | 'last' | 'gone'> {
  await lockTeam(tx, appId)
  if (await isLastTitular(tx, appId, accountId)) return 'last'
  const removed = await tx.query(sql`
    delete from app_members where app_id = ${appId} and account_id = ${accountId} returning account_id`)
  if (removed.length === 0) return 'gone'
  await endLinks(tx, { accountId, purpose: 'equipo', appId })
  return 'left'
}

export async function cancelInvite(tx: Db, appId: number, accountId: number): Promise<boolean> {
  await lockTeam(tx, appId)
  if (!(await pendingMembers(tx, appId)).some((invited) => invited.accountId === accountId)) return false
  await endLinks(tx, { accountId, purpose: 'equipo', appId })
  return true
}
