import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import sql from 'sql-template-tag'
import type { Db, Store, Transactional } from '../store/db.ts'
import { keepFresh } from '../store/keep-fresh.ts'
import type { Listener } from '../store/listener.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'

export const TOKEN_ALGORITHM = 'ES256'
export const TOKEN_SECONDS = 3600 // docs/decisions/api.md

/** A new key is published so long before it signs: verifiers keep a key set for minutes (docs/keys.md). */
const PUBLISHED_FIRST_SECONDS = 600

/** How soon every node refuses revoked keys while LISTEN does not work. */
const REREAD_MS = 1_000

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>

/** The keys that tokens are signed with, sealed in the store so that every node has the same. */
export async function openSigningKeys(
  store: Store,
  seal: Seal,
  listener: Pick<Listener, 'on' | 'onGap'>,
  nowMs = () => performance.now(),
) {
  await makeFirst(store, seal)
  let keys = await readKeys(store, seal, nowMs)
  const read = async () => {
    keys = await readKeys(store, seal, nowMs)
  }
  const { close } = keepFresh({ listener, channel: 'signing_keys', read, everyMs: REREAD_MS })
  const isValid = ({ endsMs }: (typeof keys)[number]) => endsMs > nowMs()

  return {
    current() {
      const newest = keys.find(({ startsMs }) => startsMs <= nowMs()) ?? keys[0]
      if (!newest) throw new Error('There is no key to sign tokens with.')
      return newest
    },
    find: (kid: string) => keys.find((key) => key.kid === kid && isValid(key)),
    /** Those that a verifier needs, as /.well-known/jwks.json publishes them. */
    published: () => keys.filter(isValid).map(({ publicJwk }) => publicJwk),
    close,
  }
}

/** Several nodes may start on an empty store at once: the lock lets one of them make the key. */
async function makeFirst(store: Store, seal: Seal): Promise<void> {
  await store.transaction(async (tx) => {
    await lockKeys(tx)
    const [any] = await tx.query(sql`select 1 from signing_keys where retired_at is null limit 1`)
    if (!any) await insertKey(tx, seal, 0)
  })
}

/**
 * Makes a new key. The former ones sign until it starts, and verify until their last token has expired; with `revoke`
 * they end now, and their tokens are refused.
 */
export const rotateSigningKey = (store: Transactional, seal: Seal, revoke: boolean): Promise<SigningKeyState[]> =>
  store.transaction(async (tx) => {
    await lockKeys(tx)
    const seconds = revoke ? 0 : PUBLISHED_FIRST_SECONDS
    if (revoke) await tx.query(sql`delete from signing_keys`)
    else {
      await tx.query(sql`
        update signing_keys set retired_at = now() + make_interval(secs => ${seconds}) where retired_at is null`)
      await tx.query(sql`
        delete from signing_keys where retired_at < now() - 2 * make_interval(secs => ${TOKEN_SECONDS})`)
    }
    await insertKey(tx, seal, seconds)
    return listSigningKeys(tx)
  })

const lockKeys = (tx: Db) => tx.query(sql`select pg_advisory_xact_lock(hashtext('rodado signing_keys'))`)

async function insertKey(tx: Db, seal: Seal, startsInSeconds: number): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const sealed = seal.seal(JSON.stringify(await exportJWK(privateKey)), purpose(kid))
  const published = { ...jwk, kid, alg: TOKEN_ALGORITHM, use: 'sig' }
  await tx.query(sql`
    insert into signing_keys (kid, public_jwk, sealed_private, starts_at)
    values (${kid}, ${published}, ${sealed}, now() + make_interval(secs => ${startsInSeconds}))`)
}

export interface SigningKeyState {
  kid: string
  /** From when on it signs. */
  startsAt: Date
  /** When its last token has expired; null while it has no successor. */
  endsAt: Date | null
}

/** A retired key verifies until its last token has expired. */
const IS_PUBLISHED = sql`
  (retired_at is null or retired_at > now() - make_interval(secs => ${TOKEN_SECONDS}))`

/** The published keys, the newest first. */
export const listSigningKeys = (db: Db): Promise<SigningKeyState[]> =>
  db.query<SigningKeyState>(sql`
    select kid, starts_at as "startsAt", retired_at + make_interval(secs => ${TOKEN_SECONDS}) as "endsAt"
    from signing_keys where ${IS_PUBLISHED} order by starts_at desc, kid`)

interface StoredKey {
  kid: string
  publicJwk: JWK
  sealed: Buffer
}

/** Times are differences by PostgreSQL's clock, which this process then measures with its own. */
async function readKeys(db: Db, seal: Seal, nowMs: () => number) {
  const readMs = nowMs()
  const rows = await db.query<StoredKey & { startsIn: number; endsIn: number }>(sql`
    select kid, public_jwk as "publicJwk", sealed_private as sealed,
      extract(epoch from starts_at - now())::float8 as "startsIn",
      coalesce(extract(epoch from retired_at - now())::float8 + ${TOKEN_SECONDS}, 'infinity') as "endsIn"
    from signing_keys where ${IS_PUBLISHED} order by starts_at desc, kid`)
  return Promise.all(
    rows.map(async ({ startsIn, endsIn, ...stored }) => ({
      ...(await importKey(stored, seal)),
      startsMs: readMs + startsIn * 1000,
      endsMs: readMs + endsIn * 1000,
    })),
  )
}

async function importKey({ kid, publicJwk, sealed }: StoredKey, seal: Seal) {
  const privateJwk: JWK = JSON.parse(seal.open(sealed, purpose(kid)))
  return {
    kid,
    publicJwk,
    publicKey: (await importJWK(publicJwk, TOKEN_ALGORITHM)) as CryptoKey,
    privateKey: (await importJWK(privateJwk, TOKEN_ALGORITHM)) as CryptoKey,
  }
}

const purpose = (kid: string) => `signing-key:${kid}`

export const SEALED_KEYS: SealedColumn[] = [
  { table: 'signing_keys', id: 'kid', idType: 'text', column: 'sealed_private', owner: 'kid', purpose },
]
