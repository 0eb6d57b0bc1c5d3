import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../apps/app.ts'
import type { AppCache, Holder } from '../apps/cache.ts'
import type { Clock } from '../clock.ts'
import { hasBody, readBody } from '../http/body.ts'
import type { Limiter } from '../http/limits.ts'
import type { Db } from '../store/db.ts'
import { failure } from './failure.ts'
import { isFirstUse } from './replay.ts'
import type { SignatureNames } from './signature.ts'
import { authenticateSigned, bodyIsProven, type Proof, type Proven, signerAtOnce } from './signed.ts'
import type { Claims, Tokens } from './token.ts'
import { type RefusalCode, unauthorized } from './unauthorized.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The app on whose behalf this is asked; every route under /v3 has one. */
    caller: App
  }
}

export interface AuthDeps {
  ring: AppCache
  tokens: Tokens
  db: Db
  clock: Clock
  names: SignatureNames
  /** Failed attempts by address. */
  failures: Limiter
}

const BEARER = 'Bearer '

/** What tells who asks, beside the database. */
export type CallerDeps = Pick<AuthDeps, 'ring' | 'tokens' | 'clock' | 'names'>

/**
 * Who is asking, by signature or token (decisions, section 2); anything else is 401. A promise only where it waits.
 * `admit` may refuse whom it is told of, and returns how to take it back. It comes before a signature is used up: what is
 * refused because there are too many can be sent again as it is.
 */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AuthDeps,
  admit: (app: App) => () => void,
): Promise<void> | undefined {
  const refuse = (code: RefusalCode) => failure(unauthorized(code, deps.names), request, reply, deps.failures)
  function conclude(result: Proven | RefusalCode): Promise<void> | undefined {
    if (typeof result === 'string') throw refuse(result)
    request.caller = result.app
    const retract = admit(result.app)
    return result.once && useUp(result.once, retract)
  }
  async function useUp(signature: Buffer, retract: () => void): Promise<void> {
    if (await isFirstUse(deps.db, signature)) return
    retract()
    request.caller = undefined as unknown as App // whoever repeats it is not known to be the app
    throw refuse('repetida')
  }
  const proof = prove(request, deps)
  return proof instanceof Promise ? proof.then(conclude) : conclude(proof)
}

function prove(request: FastifyRequest, deps: AuthDeps): Proof {
  const { authorization } = request.headers
  if (authorization === undefined) return 'sin-credenciales'
  const space = authorization.indexOf(' ')
  const scheme = (space < 0 ? authorization : authorization.slice(0, space)).toLowerCase()
  const credential = space < 0 ? '' : authorization.slice(space + 1).trim()
  if (scheme === deps.names.scheme.toLowerCase()) return authenticateSigned(request, credential, deps)
  if (scheme === 'bearer') return authenticateBearer(request, credential, deps)
  return 'sin-credenciales'
}

async function authenticateBearer(
  request: FastifyRequest,
  token: string,
  deps: AuthDeps,
): Promise<Proven | RefusalCode> {
  const claims = await deps.tokens.verify(token)
  const holder = claims && (await deps.ring.find(claims.appKey))
  if (!claims || !holder || !stillHolds(holder, claims)) return 'token-invalido'
  request.bytes = await readBody(request, holder.app.appKey)
  return bodyIsProven(request, false) ? { app: holder.app } : 'digest-invalido'
}

/** A token is worth as long as the secret that it was had with. */
const stillHolds = ({ secrets }: Holder, { secretId }: Claims): boolean => secrets.some(({ id }) => id === secretId)

/** Who asks for something without a body, where all is well and that is known at once. */
export function callerAtOnce(raw: IncomingMessage, deps: CallerDeps): App | undefined {
  const { authorization = '', digest } = raw.headers
  if (digest !== undefined || hasBody(raw)) return undefined
  return authorization.startsWith(BEARER)
    ? bearerAtOnce(authorization.slice(BEARER.length), deps)
    : signerAtOnce(raw, deps)
}

function bearerAtOnce(token: string, { ring, tokens }: CallerDeps): App | undefined {
  const claims = tokens.remembered(token)
  const holder = claims && ring.findAtOnce(claims.appKey)
  return holder && stillHolds(holder, claims) ? holder.app : undefined
}
