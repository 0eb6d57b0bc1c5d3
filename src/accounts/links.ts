import { hash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { MemberRol } from './account.ts'

const TOKEN_BYTES = 32 // 256 bits, like an invitation's

type LinkPurpose = 'clave' | 'colaborar' | 'equipo' | 'personal'
export type Rol = 'administrador' | 'vendedor'

interface NewLink {
  purpose: LinkPurpose
  /** Null in the link for the first staff member. */
  accountId: number | null
  agenciaId?: number
  appId?: number
  rol?: Rol | MemberRol
  hours: number
}

interface AccountLink<P extends LinkPurpose> {
  /** 0 in the link for the first staff member. */
  accountId: number
  agenciaId: number | null
  appId: number | null
  /** The role that it grants: in an app's team, or in an agency. */
  rol: (P extends 'equipo' ? MemberRol : Rol) | null
}

type LinkState = { state: 'open' | 'used' | 'expired' }

const LINK = sql`coalesce(account_id, 0) as "accountId", agencia_id as "agenciaId", app_id as "appId", rol`

/** Only the hash of a token is stored, so that a reader of the database cannot use the link. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Creates a one-time link and returns its token, which is stored nowhere but in its email. */
export async function newLink(tx: Db, { purpose, accountId, agenciaId, appId, rol, hours }: NewLink): Promise<string> {
  const token = newToken()
  await tx.query(sql`
    insert into account_links (token_hash, purpose, account_id, agencia_id, app_id, rol, expires_at)
    values (${tokenHash(token)}, ${purpose}, ${accountId}, ${agenciaId ?? null}, ${appId ?? null}, ${rol ?? null},
            now() + make_interval(hours => ${hours}))`)
  return token
}

/** Reads a link without using it, because mail scanners open links. Undefined if there never was one. */
export const readLink = <P extends LinkPurpose>(db: Db, token: string, purpose: P) =>
  db.first<AccountLink<P> & LinkState>(sql`
    select ${LINK},
           case when used_at is not null then 'used' when expires_at <= now() then 'expired' else 'open' end as state
    from account_links where token_hash = ${tokenHash(token)} and purpose = ${purpose}`)

/** Uses a link, once: of two concurrent uses the second returns undefined. */
export const useLink = <P extends LinkPurpose>(tx: Db, token: string, purpose: P) =>
  tx.first<AccountLink<P>>(sql`
    update account_links set used_at = now()
    where token_hash = ${tokenHash(token)} and purpose = ${purpose} and used_at is null and expires_at > now()
    returning ${LINK}`)

/** Ends the open links of an account: a password was set, or the person was removed. Returns how many there were. */
export async function endLinks(
  tx: Db,
  { accountId, purpose, agenciaId, appId }: Pick<NewLink, 'accountId' | 'purpose' | 'agenciaId' | 'appId'>,
): Promise<number> {
  const ended = await tx.query(sql`
    update account_links set used_at = now()
    where account_id is not distinct from ${accountId} and purpose = ${purpose} and used_at is null
      and (${agenciaId ?? null}::int is null or agencia_id = ${agenciaId ?? null})
      and (${appId ?? null}::int is null or app_id = ${appId ?? null})
    returning 1`)
  return ended.length
}

/** Ends the open invitations to administer an agency: they were meant to replace the former one. */
export async function endAdministratorLinks(tx: Db, agenciaId: number): Promise<void> {
  await tx.query(sql`
    update account_links set used_at = now()
    where agencia_id = ${agenciaId} and purpose = 'colaborar' and rol = 'administrador' and used_at is null`)
}

/** How many links of a kind an account was sent in the last hour; bounds the emails to one person. */
export const recentLinks = (db: Db, accountId: number, purpose: LinkPurpose): Promise<number> =>
  db.count(sql`
    select count(*) from account_links
    where account_id = ${accountId} and purpose = ${purpose} and created_at > now() - interval '1 hour'`)
