import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import sql from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import type { Seal } from '../store/sealed.ts'

export const TOKEN_ALGORITHM = 'ES256'
export const TOKEN_SECONDS = 3600 // docs/decisions.md, "API conventions"

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>

/** The keys that tokens are signed with, sealed in the store so that every node has the same. */
export async function openSigningKeys(store: Store, seal: Seal, listener: Listener) {
  await makeFirst(store, seal)
  let keys = await readKeys(store, seal)
  const read = async () => {
    keys = await readKeys(store, seal).catch(() => keys) // away: the next connection reads again
  }
  listener.on('signing_keys', read)
  listener.onGap(read)

  return {
    current() {
      const [newest] = keys
      if (!newest) throw new Error('There is no key to sign tokens with.')
      return newest
    },
    find: (kid: string) => keys.find((key) => key.kid === kid),
    /** Those that a verifier needs, as /.well-known/jwks.json publishes them. */
    published: () => keys.map(({ publicJwk }) => publicJwk),
  }
}

/** Several nodes may start on an empty store at once: the lock lets one of them make the key. */
async function makeFirst(store: Store, seal: Seal): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('rodado signing_keys'))`)
    const [any] = await tx.query(sql`select 1 from signing_keys where retired_at is null limit 1`)
    if (any) return
    const { publicKey, privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
    const jwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(jwk)
    const sealed = seal.seal(JSON.stringify(await exportJWK(privateKey)), purpose(kid))
    const published = { ...jwk, kid, alg: TOKEN_ALGORITHM, use: 'sig' }
    await tx.query(sql`
      insert into signing_keys (kid, public_jwk, sealed_private) values (${kid}, ${published}, ${sealed})`)
  })
}

async function readKeys(db: Db, seal: Seal) {
  const rows = await db.query<{ kid: string; publicJwk: JWK; sealed: Buffer }>(sql`
    select kid, public_jwk as "publicJwk", sealed_private as sealed
    from signing_keys where retired_at is null or retired_at > now() - make_interval(secs => ${TOKEN_SECONDS})
    order by retired_at nulls first, created_at desc, kid`) // a retired key verifies until its last token has expired
  return Promise.all(
    rows.map(async ({ kid, publicJwk, sealed }) => ({
      kid,
      publicJwk,
      publicKey: (await importJWK(publicJwk, TOKEN_ALGORITHM)) as CryptoKey,
      privateKey: (await importJWK(JSON.parse(seal.open(sealed, purpose(kid))), TOKEN_ALGORITHM)) as CryptoKey,
    })),
  )
}

const purpose = (kid: string) => `signing-key:${kid}`
