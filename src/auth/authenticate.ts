import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { AppCache, AppWithSecrets } from '../apps/cache.ts'
import type { Clock } from '../clock.ts'
import { readBody } from '../http/body.ts'
import type { Limiter } from '../http/limits.ts'
import type { Db } from '../store/db.ts'
import type { SignatureNames } from './signature.ts'
import { authenticateSigned, bodyIsProven, type Proof, type Proven } from './signed.ts'
import type { Claims, Tokens } from './token.ts'
import { limitFailures, type RefusalCode, unauthorized } from './unauthorized.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The app that calls. Every route under /v3 has one. */
    caller: App
  }
}

interface AuthDeps {
  apps: AppCache
  tokens: Tokens
  db: Db
  clock: Clock
  names: SignatureNames
  /** Failed attempts by address. */
  failures: Limiter
}

/** What the caller of `authenticate` decides about an app once it is recognised. */
interface AppAdmission {
  /** False if the request will be refused anyway: its body is then not read. */
  readsBody(app: App): boolean
  /** Counts the request or refuses it. The function returned takes that back. */
  admit(app: App): () => void
}

/**
 * Recognises the app by its signature or token (decisions, section 2); anything else is 401. Returns a promise only if it
 * has to wait. A request is admitted before its signature is used up, so one that is refused for load can be sent again
 * as it is.
 */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthDeps,
  { readsBody, admit }: AppAdmission,
): Promise<void> | undefined {
  const refuse = (code: RefusalCode) => limitFailures(unauthorized(code, deps.names), request, reply, deps.failures)
  function conclude(result: Proven | RefusalCode): Promise<void> | undefined {
    if (typeof result === 'string') throw refuse(result)
    request.caller = result.app
    const retract = admit(result.app)
    return result.once && useUp(result.once, retract)
  }
  async function useUp(signature: Buffer, retract: () => void): Promise<void> {
    if (await isFirstUse(deps.db, signature)) return
    retract()
    request.caller = undefined as unknown as App // a repeated signature does not prove the app
    throw refuse('repetida')
  }
  const proof = prove(request, deps, readsBody)
  return proof instanceof Promise ? proof.then(conclude) : conclude(proof)
}

function prove(request: FastifyRequest, deps: AuthDeps, readsBody: AppAdmission['readsBody']): Proof {
  const { authorization } = request.headers
  if (authorization === undefined) return 'sin-credenciales'
  const space = authorization.indexOf(' ')
  const scheme = (space < 0 ? authorization : authorization.slice(0, space)).toLowerCase()
  const credential = space < 0 ? '' : authorization.slice(space + 1).trim()
  if (scheme === deps.names.scheme.toLowerCase()) return authenticateSigned(request, credential, deps, readsBody)
  if (scheme === 'bearer') return authenticateBearer(request, credential, deps, readsBody)
  return 'sin-credenciales'
}

async function authenticateBearer(
  request: FastifyRequest,
  token: string,
  deps: AuthDeps,
  readsBody: AppAdmission['readsBody'],
): Promise<Proven | RefusalCode> {
  const claims = await deps.tokens.verify(token)
  const holder = claims && (await deps.apps.find(claims.appKey))
  if (!claims || !holder || !stillHolds(holder, claims)) return 'token-invalido'
  request.bytes = await readBody(request, holder.app.appKey, readsBody(holder.app))
  return bodyIsProven(request, false) ? { app: holder.app } : 'digest-invalido'
}

/** A token is valid as long as the secret it was issued for. */
const stillHolds = ({ secrets }: AppWithSecrets, { secretId }: Claims): boolean =>
  secrets.some(({ id }) => id === secretId)

const KEPT_SECONDS = 660 // a signature may be dated 300 s ahead and is good 300 s after that; one minute to spare

/** Whether this is the first time, on any node, that the signature is seen: the primary key decides. */
async function isFirstUse(db: Db, signature: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    insert into used_signatures (signature, expires_at)
    values (${signature}, now() + make_interval(secs => ${KEPT_SECONDS}))
    on conflict do nothing returning 1`)
  return rows.length === 1
}

/** Deletes signatures outside the time window: their date would be refused anyway. */
export async function forgetExpired(db: Db): Promise<void> {
  await db.query(sql`delete from used_signatures where expires_at < now()`)
}
