import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'

const SECRET_BYTES = 32
const MAX_LIVE_SECRETS = 2 // the old one and the new one, while a partner rotates

export const newAppKey = (): string => randomBytes(16).toString('hex')

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
export async function addSecret(db: Db, seal: Seal, appId: number): Promise<string> {
  const secret = newSecret()
  await db.query(sql`
    insert into app_secrets (app_id, sealed) values (${appId}, ${seal.seal(secret, purpose(appId))})`)
  return secret
}

/** The present secret stays good until the next rotation; the oldest of three is revoked. Returns the new one. */
export const rotateSecret = (store: Store, seal: Seal, appId: number, revokeOthers: boolean): Promise<string> =>
  store.transaction(async (tx) => {
    await lockSecrets(tx, appId)
    return rotate(tx, seal, appId, revokeOthers ? 1 : MAX_LIVE_SECRETS)
  })

/** The same, while that one is the newest: a form that is sent twice would revoke the secret that is in use. */
export const rotateSecretOnce = (
  store: Store,
  seal: Seal,
  appId: number,
  newest: number,
  revokeOthers = false,
): Promise<string | undefined> =>
  store.transaction(async (tx) => {
    await lockSecrets(tx, appId)
    const [live] = await liveSecrets(tx, seal, appId)
    if ((live?.id ?? 0) !== newest) return undefined
    return rotate(tx, seal, appId, revokeOthers ? 1 : MAX_LIVE_SECRETS)
  })

const lockSecrets = (tx: Db, appId: number) => tx.query(sql`select 1 from apps where id = ${appId} for update`)

async function rotate(tx: Db, seal: Seal, appId: number, keep: number): Promise<string> {
  const secret = await addSecret(tx, seal, appId)
  await tx.query(sql`
    update app_secrets set revoked_at = now()
    where revoked_at is null and id in (
      select id from app_secrets where app_id = ${appId} and revoked_at is null order by id desc offset ${keep})`)
  return secret
}

/** A secret as people see it: when it began and ended, never what it is. */
export interface ListedSecret {
  id: number
  creado: Date
  revocado: Date | null
}

const MAX_LISTED = 10

export const listSecrets = (db: Db, appId: number): Promise<ListedSecret[]> =>
  db.query<ListedSecret>(sql`
    select id, created_at as creado, revoked_at as revocado from app_secrets where app_id = ${appId}
    order by revoked_at is not null, id desc limit ${MAX_LISTED}`)

/** Refuses one secret everywhere within a second; never the last that is good: an app is disabled, not left without. */
export async function revokeSecret(store: Store, appId: number, id: number): Promise<'revoked' | 'gone' | 'last'> {
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
