import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db, Transactional } from '../store/db.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'

const SECRET_BYTES = 32
const MAX_LIVE_SECRETS = 2 // the old one and the new one, while a partner rotates

export const newAppKey = (): string => randomBytes(16).toString('hex')
export const APP_KEY = /^[0-9a-f]{32}$/

/** Binds a sealed secret to its app: moved to another app's row, it does not open. */
const purpose = (appId: number | string) => `app-secret:${appId}`

export const SEALED_SECRETS: SealedColumn[] = [
  { table: 'app_secrets', id: 'id', idType: 'int', column: 'sealed', owner: 'app_id', purpose },
]

/** One that does not begin with a dash: wherever it is typed, that would be the beginning of an option. */
export function newSecret(): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return secret.startsWith('-') ? newSecret() : secret
}

/** Gives an app one more secret and returns it; this is the only time it is shown. */
export async function addSecret(db: Db, seal: Seal, appId: number, nombre: string | null = null): Promise<string> {
  const secret = newSecret()
  await db.query(sql`
    insert into app_secrets (app_id, sealed, nombre) values (${appId}, ${seal.seal(secret, purpose(appId))}, ${nombre})`)
  return secret
}

/** The present secret stays good until the next rotation; the oldest of three is revoked. Returns the new one. */
export const rotateSecret = (store: Transactional, seal: Seal, appId: number, revokeOthers: boolean): Promise<string> =>
  store.transaction(async (tx) => {
    await lockSecrets(tx, appId)
    return rotate(tx, seal, appId, { revokeOthers })
  })

interface NewSecret {
  /** What it is used for. */
  nombre?: string | null
  revokeOthers?: boolean
}

/** Rotates the secret while `newest` is the newest: a form that is sent twice would revoke the secret that is in use. */
export const rotateSecretOnce = (
  store: Transactional,
  seal: Seal,
  appId: number,
  newest: number,
  wanted: NewSecret,
): Promise<string | undefined> =>
  store.transaction(async (tx) => {
    await lockSecrets(tx, appId)
    const [live] = await liveSecrets(tx, seal, appId)
    if ((live?.id ?? 0) !== newest) return undefined
    return rotate(tx, seal, appId, wanted)
  })

/** A form that is sent again within this time is a double click: the browser shows the answer to the second. */
const DOUBLE_CLICK_SECONDS = 10

/** The secret that the first of two clicks made after `before`, with this name and this choice about the others. */
export async function repeatedSecret(
  db: Db,
  seal: Seal,
  appId: number,
  before: number,
  { nombre = null, revokeOthers = false }: NewSecret,
): Promise<string | undefined> {
  const [made] = await db.query<{ sealed: Buffer }>(sql`
    select sealed from app_secrets
    where app_id = ${appId} and id > ${before} and revoked_at is null and nombre is not distinct from ${nombre}::text
      and created_at > now() - make_interval(secs => ${DOUBLE_CLICK_SECONDS})
      and not (${revokeOthers} and exists (
        select from app_secrets former where former.app_id = ${appId} and former.id <= ${before} and former.revoked_at is null))
    order by id limit 1`)
  return made && openSecret(seal, appId, made.sealed)
}

const lockSecrets = (tx: Db, appId: number) => tx.query(sql`select 1 from apps where id = ${appId} for update`)

async function rotate(tx: Db, seal: Seal, appId: number, { nombre, revokeOthers }: NewSecret): Promise<string> {
  const secret = await addSecret(tx, seal, appId, nombre)
  await tx.query(sql`
    update app_secrets set revoked_at = now()
    where revoked_at is null and id in (
      select id from app_secrets where app_id = ${appId} and revoked_at is null order by id desc offset ${revokeOthers ? 1 : MAX_LIVE_SECRETS})`)
  return secret
}

/** A secret as people see it: its name, when it began, was last used and ended, never what it is. */
export interface ListedSecret {
  id: number
  nombre: string | null
  usado: Date | null
  creado: Date
  revocado: Date | null
}

const MAX_LISTED = 10

export const listSecrets = (db: Db, appId: number): Promise<ListedSecret[]> =>
  db.query<ListedSecret>(sql`
    select s.id, s.nombre, s.created_at as creado, s.revoked_at as revocado, u.used_at as usado
    from app_secrets s left join app_secret_uses u on u.secret_id = s.id
    where s.app_id = ${appId} order by s.revoked_at is not null, s.id desc limit ${MAX_LISTED}`)

export const SECRET_NAME_CHARACTERS = 60

/** False if the app has no such secret, or it was revoked. */
export const renameSecret = (db: Db, appId: number, id: number, nombre: string | null): Promise<boolean> =>
  db.changes(sql`
    update app_secrets set nombre = ${nombre} where id = ${id} and app_id = ${appId} and revoked_at is null returning 1`)

/** Secrets that were deleted meanwhile are left out. */
export async function recordSecretUses(db: Db, ids: readonly number[]): Promise<void> {
  await db.query(sql`
    insert into app_secret_uses (secret_id, used_at)
    select id, now() from app_secrets where id = any (${ids}::int[]) order by id
    on conflict (secret_id) do update set used_at = excluded.used_at`)
}

/** Refuses one secret everywhere within a second; never the last that is good: an app is disabled, not left without. */
export async function revokeSecret(
  store: Transactional,
  appId: number,
  id: number,
): Promise<'revoked' | 'gone' | 'last'> {
  return store.transaction(async (tx) => {
    await lockSecrets(tx, appId)
    const live = await tx.query<{ id: number }>(sql`
      select id from app_secrets where app_id = ${appId} and revoked_at is null`)
    if (!live.some((secret) => secret.id === id)) return 'gone'
    if (live.length === 1) return 'last'
    await tx.query(sql`update app_secrets set revoked_at = now() where id = ${id}`)
    return 'revoked'
  })
}

export interface LiveSecret {
  id: number
  secret: string
}

/** The secrets an app may sign with now, newest first. */
export async function liveSecrets(db: Db, seal: Seal, appId: number): Promise<LiveSecret[]> {
  const rows = await db.query<{ id: number; sealed: Buffer }>(sql`
    select id, sealed from app_secrets where app_id = ${appId} and revoked_at is null order by id desc`)
  return rows.map(({ id, sealed }) => ({ id, secret: openSecret(seal, appId, sealed) }))
}

export const openSecret = (seal: Seal, appId: number, sealed: Buffer): string => seal.open(sealed, purpose(appId))
