import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Account } from './account.ts'
import { endLinks } from './links.ts'

/** Who decides about an app's team and keys, and who works with it. */
export type MemberRol = 'titular' | 'desarrollador'

export interface Member extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword'> {
  rol: MemberRol
  since: Date
}

/** An app that an account may see, by its key. */
export interface Membership {
  appKey: string
  rol: MemberRol
}

/** The apps a person works on. What is not here does not exist for them. */
export const membershipsOf = (db: Db, accountId: number): Promise<Membership[]> =>
  db.query<Membership>(sql`
    select a.app_key as "appKey", m.rol from app_members m join apps a on a.id = m.app_id
    where m.account_id = ${accountId} order by a.nombre, a.id`)

/** What a person is to one app, if anything. */
export async function membershipOf(db: Db, accountId: number, appKey: string): Promise<Membership | undefined> {
  const [found] = await db.query<Membership>(sql`
    select a.app_key as "appKey", m.rol from app_members m join apps a on a.id = m.app_id
    where m.account_id = ${accountId} and a.app_key = ${appKey}`)
  return found
}

export const listMembers = (db: Db, appId: number): Promise<Member[]> =>
  db.query<Member>(sql`
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword", m.rol,
           m.created_at as since
    from app_members m join accounts a on a.id = m.account_id where m.app_id = ${appId} order by m.rol desc, a.email`)

/** Takes a person into an app's team, or changes what they are there. */
export async function setMember(tx: Db, appId: number, accountId: number, rol: MemberRol): Promise<void> {
  await tx.query(sql`
    insert into app_members (app_id, account_id, rol) values (${appId}, ${accountId}, ${rol})
    on conflict (app_id, account_id) do update set rol = excluded.rol`)
}

/** Removes a person from a team. False: they were not of it. */
export async function removeMember(tx: Db, appId: number, accountId: number): Promise<boolean> {
  const gone = await tx.query(sql`
    delete from app_members where app_id = ${appId} and account_id = ${accountId} returning account_id`)
  return gone.length > 0
}

/** Somebody who was asked and has not come; the link in their mail is still good. */
export interface PendingMember {
  accountId: number
  email: string
  rol: MemberRol
  asked: Date
  expires: Date
}

export const pendingMembers = (db: Db, appId: number): Promise<PendingMember[]> =>
  db.query<PendingMember>(sql`
    select l.account_id as "accountId", a.email, l.rol, l.created_at as asked, l.expires_at as expires
    from account_links l join accounts a on a.id = l.account_id
    where l.purpose = 'equipo' and l.app_id = ${appId} and l.used_at is null and l.expires_at > now() order by a.email`)

/** Of two who change a team at the same moment, the second waits: an app is never left without a titular. */
export const lockTeam = (tx: Db, appId: number): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`team ${appId}`}, 0))`)

/** Whether a person is the only one who decides about an app; asked with the team held. */
export async function isLastTitular(tx: Db, appId: number, accountId: number): Promise<boolean> {
  const titulares = (await listMembers(tx, appId)).filter(({ rol }) => rol === 'titular')
  return titulares.length === 1 && titulares[0]?.id === accountId
}

/** `last`: the only titular, without whom nobody would decide about the app. `gone`: not of the team. */
export type LeftTeam = 'left' | 'last' | 'gone'

/** Somebody works no more on an app, whoever decided it: their links to it end too, so that none leads back in. */
export async function leaveTeam(tx: Db, appId: number, accountId: number): Promise<LeftTeam> {
  await lockTeam(tx, appId)
  if (await isLastTitular(tx, appId, accountId)) return 'last'
  if (!(await removeMember(tx, appId, accountId))) return 'gone'
  await endLinks(tx, { accountId, purpose: 'equipo', appId })
  return 'left'
}

/** Withdraws what somebody was asked. False: nobody like that is waiting for an answer. */
export async function withdrawMember(tx: Db, appId: number, accountId: number): Promise<boolean> {
  await lockTeam(tx, appId)
  if (!(await pendingMembers(tx, appId)).some((asked) => asked.accountId === accountId)) return false
  await endLinks(tx, { accountId, purpose: 'equipo', appId })
  return true
}
