// Authentication: a signature or a token under /v3, a site's key under /interno. Apps are cached for a second: a disabled
// one must be refused by then.
import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { importJWK, jwtVerify } from 'jose'
import { Problem } from './problems.js'
import { appSecrets, apps, signingKeys, sitios, usedSignatures } from './tables.js'

const CACHE_MS = 1_000
const WINDOW_MS = 300_000
const SIGNATURES_MS = 660_000
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export const sealOf = (masterKey) => {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'hex'), '', 'rodado/secrets', 32))
  return (sealed, purpose) => {
    const rest = sealed.subarray(5) // after the format and the id of the master key
    const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, 12))
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(rest.subarray(12, 28))
    return Buffer.concat([decipher.update(rest.subarray(28)), decipher.final()]).toString()
  }
}

/** Caches what a look-up finds for a second. */
function cached(find) {
  const cache = new Map()
  return async (key) => {
    const known = cache.get(key)
    if (known && known.until > Date.now()) return known.value
    const value = await find(key)
    cache.set(key, { value, until: Date.now() + CACHE_MS })
    return value
  }
}

const refuse = (code) => new Problem(401, 'La credencial no es válida.', { extensions: { Codigo: code } })

export function authenticateApps({ db, open, publicUrl }) {
  const findApp = cached(async (appKey) => {
    const rows = await db
      .select({ app: apps, secretId: appSecrets.id, sealed: appSecrets.sealed })
      .from(apps)
      .innerJoin(appSecrets, eq(appSecrets.appId, apps.id))
      .where(and(eq(apps.appKey, appKey), isNull(apps.disabledAt), isNull(appSecrets.revokedAt)))
    const secrets = rows.map(({ secretId, sealed }) => ({
      id: secretId,
      secret: open(sealed, `app-secret:${rows[0].app.id}`),
    }))
    return rows.length > 0 ? { ...rows[0].app, secrets } : undefined
  })
  const findKey = cached(async (kid) => {
    const [row] = await db.select().from(signingKeys).where(eq(signingKeys.kid, kid))
    return row && importJWK(row.publicJwk, 'ES256')
  })

  async function bySignature(request, credential) {
    const [appKey, signature = ''] = credential.split(/:(.*)/s)
    const app = await findApp(appKey)
    const given = Buffer.from(signature, 'base64')
    const isValid = app?.secrets.some(({ secret }) => {
      const made = createHmac('sha256', secret).update(textToSign(request)).digest()
      return made.length === given.length && timingSafeEqual(made, given)
    })
    if (!isValid) throw refuse('firma-invalida')
    const moment = Date.parse(request.get('x-svc-date') ?? request.get('date') ?? '')
    if (!(Math.abs(Date.now() - moment) <= WINDOW_MS)) throw refuse('fecha-fuera-de-rango')
    checkDigest(request, true)
    if (SAFE.has(request.method)) return app
    const expiresAt = new Date(Date.now() + SIGNATURES_MS)
    const first = await db
      .insert(usedSignatures)
      .values({ signature: given, expiresAt })
      .onConflictDoNothing()
      .returning()
    if (first.length === 0) throw refuse('repetida')
    return app
  }

  async function byToken(request, token) {
    const { payload } = await jwtVerify(token, ({ kid }) => findKey(kid), {
      issuer: publicUrl,
      audience: `${publicUrl}/v3`,
      algorithms: ['ES256'],
    }).catch(() => Promise.reject(refuse('token-invalido')))
    const app = await findApp(payload.sub)
    if (!app?.secrets.some(({ id }) => id === payload.secret)) throw refuse('token-invalido')
    checkDigest(request, false)
    return app
  }

  return async (request, _response, next) => {
    const [scheme, credential = ''] = (request.get('authorization') ?? '').split(/ +(.*)/s)
    if (scheme === 'SVC-HMAC') request.caller = await bySignature(request, credential)
    else if (scheme === 'Bearer') request.caller = await byToken(request, credential)
    else throw refuse('sin-credenciales')
    next()
  }
}

function textToSign(request) {
  const own = Object.keys(request.headers).filter((name) => name.startsWith('x-svc-'))
  const lines = own.sort().map((name) => `${name}:${request.headers[name].trim()}`)
  const { method, originalUrl, headers } = request
  return [method, headers.digest ?? '', headers.date ?? '', ...lines, originalUrl].join('\n')
}

function checkDigest(request, required) {
  const body = request.rawBody
  const digest = request.get('digest')
  if (digest === undefined && !(required && body?.length)) return
  const [, algorithm, value] = /^(sha-256|sha-512)=(.+)$/i.exec(digest ?? '') ?? []
  const made =
    algorithm &&
    createHash(algorithm.replace('-', '').toLowerCase())
      .update(body ?? '')
      .digest('base64')
  if (!made || made !== value) throw refuse('digest-invalido')
}

export function authenticateSites({ db }) {
  const findSite = cached(async (key) => {
    const keyHash = createHash('sha256').update(key).digest()
    const [site] = await db
      .select()
      .from(sitios)
      .where(and(eq(sitios.keyHash, keyHash), isNull(sitios.revokedAt)))
    return site
  })
  return async (request, _response, next) => {
    const [, key] = /^bearer (\S+)$/i.exec(request.get('authorization') ?? '') ?? []
    request.site = key && (await findSite(key))
    if (!request.site) throw refuse(key ? 'token-invalido' : 'sin-credenciales')
    checkDigest(request, false)
    next()
  }
}
