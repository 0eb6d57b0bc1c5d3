import { createSecretKey, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { AppCache } from '../apps/cache.ts'
import type { Usage } from '../apps/usage.ts'
import type { Clock } from '../clock.ts'
import { readBody } from '../http/body.ts'
import type { Limiter } from '../http/limits.ts'
import { originForm } from '../http/negotiation.ts'
import type { Db } from '../store/db.ts'
import { digestHolds, isSignedBy, parseDate, SAFE_METHODS, type SignatureNames, textToSign } from './signature.ts'
import type { Tokens } from './token.ts'
import { limitFailures, type RefusalCode, unauthorized } from './unauthorized.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The app that calls. Every route under /v3 has one. */
    caller: App
    /** The app that a refused request names. It is not proven: the signature was wrong. */
    claimedApp: App | undefined
  }
}

interface AuthDeps {
  apps: AppCache
  tokens: Tokens
  db: Db
  clock: Clock
  names: SignatureNames
  failures: Limiter
  usage: Pick<Usage, 'usedSecret'>
}

/** What the caller of authentication decides about an app or site once it is recognised. */
export interface Admission<Client> {
  /** False if the request will be refused anyway: its body is then not read. */
  shouldReadBody(client: Client): boolean
  /** Counts the request or refuses it. The returned function undoes that. */
  admit(client: Client): () => void
}

const WINDOW_MS = 300_000 // docs/decisions/api.md
const KEY_DIGITS = 32
const MAX_CREDENTIAL_LENGTH = KEY_DIGITS + 1 + 44 // AppKey, colon, 32 bytes in base64

/** An unknown app is checked against this key: the work, and so the time, is that of a wrong signature. */
const DUMMY_SECRETS = [{ id: 0, key: createSecretKey(randomBytes(32)) }]

/** The app, and the signature if it signed the request. */
interface Verified {
  app: App
  secretId: number
  signature?: Buffer
}

/**
 * Recognises the app by its signature or token; anything else is 401. A request is admitted before its signature is
 * stored as used, so one that is refused for load can be sent again as it is.
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthDeps,
  { shouldReadBody, admit }: Admission<App>,
): Promise<void> {
  const refuse = (code: RefusalCode) => limitFailures(unauthorized(code, deps.names), request, reply, deps.failures)
  const verified = await verifyCredential(request, deps)
  if (typeof verified === 'string') throw refuse(verified)
  const { app, secretId, signature } = verified
  request.rawBody = await readBody(request, app.appKey, shouldReadBody(app))
  if (!digestMatches(request, signature !== undefined)) throw refuse('digest-invalido')
  request.caller = app
  const undo = admit(app)
  const isAccepted = !signature || SAFE_METHODS.has(request.method) || (await isFirstUse(deps.db, signature))
  if (isAccepted) return deps.usage.usedSecret(secretId)
  undo()
  request.caller = undefined as unknown as App // a repeated signature does not prove the app
  throw refuse('repetida')
}

function verifyCredential(request: FastifyRequest, deps: AuthDeps): Promise<Verified | RefusalCode> | RefusalCode {
  const { authorization } = request.headers
  if (authorization === undefined) return 'sin-credenciales'
  const space = authorization.indexOf(' ')
  const scheme = (space < 0 ? authorization : authorization.slice(0, space)).toLowerCase()
  const credential = space < 0 ? '' : authorization.slice(space + 1).trim()
  if (scheme === deps.names.scheme.toLowerCase()) return checkSignature(request, credential, deps)
  return scheme === 'bearer' ? checkToken(credential, deps) : 'sin-credenciales'
}

/** A token is valid as long as the secret it was issued for. */
async function checkToken(token: string, { tokens, apps }: AuthDeps): Promise<Verified | RefusalCode> {
  const claims = await tokens.verify(token)
  const holder = claims && (await apps.find(claims.appKey))
  const secret = holder?.secrets.find(({ id }) => id === claims?.secretId)
  return holder && secret ? { app: holder.app, secretId: secret.id } : 'token-invalido'
}

async function checkSignature(
  request: FastifyRequest,
  credential: string,
  { apps, names, clock }: AuthDeps,
): Promise<Verified | RefusalCode> {
  if (credential.length > MAX_CREDENTIAL_LENGTH || credential[KEY_DIGITS] !== ':') return 'firma-invalida'
  const signature = Buffer.from(credential.slice(KEY_DIGITS + 1), 'base64')
  const { headers } = request.raw
  const text = textToSign({ method: request.method, target: originForm(request.originalUrl), headers }, names)
  const holder = await apps.find(credential.slice(0, KEY_DIGITS))
  let secretId: number | undefined
  for (const { id, key } of holder?.secrets ?? DUMMY_SECRETS) if (isSignedBy(key, text, signature)) secretId = id
  request.claimedApp = holder?.app
  if (secretId === undefined || !holder) return 'firma-invalida'

  const moment = parseDate(String(headers[names.dateHeader] ?? headers.date ?? ''))
  const outOfWindow = moment === undefined || Math.abs(clock().getTime() - moment) > WINDOW_MS
  return outOfWindow ? 'fecha-fuera-de-rango' : { app: holder.app, secretId, signature }
}

/** True if the `Digest` matches the body. A body that was not read to its end passes here and is refused later. */
export function digestMatches({ rawBody, headers: { digest } }: FastifyRequest, required: boolean): boolean {
  if (digest === undefined) return !required || rawBody.length === 0
  return typeof rawBody === 'string' || digestHolds(String(digest), rawBody)
}

const REPLAY_WINDOW_SECONDS = 660 // a signature may be dated 300 s ahead and is good 300 s after that; one minute to spare

/** Whether this is the first time, on any node, that the signature is seen: the primary key decides. */
async function isFirstUse(db: Db, signature: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    insert into used_signatures (signature, expires_at)
    values (${signature}, now() + make_interval(secs => ${REPLAY_WINDOW_SECONDS}))
    on conflict do nothing returning 1`)
  return rows.length === 1
}

/** Deletes signatures outside the time window: their date would be refused anyway. */
export async function deleteExpiredSignatures(db: Db): Promise<void> {
  await db.query(sql`delete from used_signatures where expires_at < now()`)
}
