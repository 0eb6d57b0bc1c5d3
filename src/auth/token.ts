import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { type SigningKeys, TOKEN_ALGORITHM, TOKEN_SECONDS } from './signing-keys.ts'

const MAX_VERIFIED = 10_000

interface Claims {
  kid: string
  appKey: string
  secretId: number
  expiresAt: number
}

export type Tokens = ReturnType<typeof createTokens>

/** Access tokens in the form of RFC 9068. Verifying one is expensive, so a verified token is cached until it expires. */
export function createTokens(keys: SigningKeys, publicUrl: string, clock: Clock) {
  const audience = `${publicUrl}/v3`
  const verified = new LRUCache<string, Claims>({ maxSize: MAX_VERIFIED, sizeCalculation: () => 1 })

  async function check(token: string): Promise<Claims | undefined> {
    try {
      const { kid } = decodeProtectedHeader(token)
      const key = kid === undefined ? undefined : keys.find(kid)
      if (!kid || !key) return undefined
      const { payload } = await jwtVerify(token, key.publicKey, {
        issuer: publicUrl,
        audience,
        algorithms: [TOKEN_ALGORITHM],
        typ: 'at+jwt',
        requiredClaims: ['sub', 'exp', 'secret'],
        currentDate: clock(),
      })
      const appKey = String(payload.sub)
      const secretId = Number(payload.secret)
      return { kid, appKey, secretId, expiresAt: Number(payload.exp) * 1000 }
    } catch {
      return undefined // the response is the same for every fault
    }
  }

  return {
    issue(appKey: string, secretId: number): Promise<string> {
      const { kid, privateKey } = keys.current()
      const issuedAt = Math.floor(clock().getTime() / 1000)
      return new SignJWT({ secret: secretId, client_id: appKey })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: 'at+jwt' })
        .setIssuer(publicUrl)
        .setAudience(audience)
        .setSubject(appKey)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_SECONDS)
        .sign(privateKey)
    },

    /** The claims of a token that we issued and that has not expired. Does not query the database. */
    async verify(token: string): Promise<Claims | undefined> {
      const claims = verified.get(token) ?? (await check(token))
      if (!claims || claims.expiresAt <= clock().getTime()) return undefined
      if (!keys.find(claims.kid)) return undefined // revoked since
      verified.set(token, claims)
      return claims
    },
  }
}
