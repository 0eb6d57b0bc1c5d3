import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import { type SigningKeys, TOKEN_ALGORITHM, TOKEN_SECONDS } from './signing-keys.ts'

const MOST_REMEMBERED = 10_000

/** What a token says: the app, and which of its secrets it was had with. */
export interface Claims {
  appKey: string
  secretId: number
  expiresAt: number
}

export interface Tokens {
  issue(appKey: string, secretId: number): Promise<string>
  /** The claims of a token that is ours and has not expired. It asks no database. */
  verify(token: string): Promise<Claims | undefined>
}

/**
 * Tokens as RFC 9068 has them, near enough for any library. Checking a signature on a curve costs as much as all the
 * rest of a request, so a token once checked is remembered until it expires.
 */
export function createTokens(keys: SigningKeys, publicUrl: string, clock: Clock): Tokens {
  const audience = `${publicUrl}/v3`
  const remembered = new Map<string, Claims>()

  function recall(token: string): Claims | undefined {
    const known = remembered.get(token)
    return known && known.expiresAt > clock().getTime() ? known : undefined
  }

  async function check(token: string): Promise<Claims | undefined> {
    try {
      const { kid } = decodeProtectedHeader(token)
      const key = kid === undefined ? undefined : keys.find(kid)
      if (!key) return undefined
      const { payload } = await jwtVerify(token, key.publicKey, {
        issuer: publicUrl,
        audience,
        algorithms: [TOKEN_ALGORITHM],
        typ: 'at+jwt',
        requiredClaims: ['sub', 'exp', 'secret'],
        currentDate: clock(),
      })
      return { appKey: String(payload.sub), secretId: Number(payload.secret), expiresAt: Number(payload.exp) * 1000 }
    } catch {
      return undefined // whatever is wrong with it, the answer is the same
    }
  }

  return {
    issue(appKey, secretId) {
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

    async verify(token) {
      if (remembered.has(token)) return recall(token)
      const claims = await check(token)
      if (!claims) return undefined
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      remembered.set(token, claims)
      return claims
    },
  }
}
