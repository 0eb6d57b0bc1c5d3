import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../apps/app.ts'
import type { Ring } from '../apps/ring.ts'
import type { Clock } from '../clock.ts'
import { readBody } from '../http/body.ts'
import type { Limiter } from '../http/limits.ts'
import type { Db } from '../store/db.ts'
import { failure } from './failure.ts'
import type { SignatureNames } from './signature.ts'
import { authenticateSigned, bodyIsProven, type Proof } from './signed.ts'
import type { Tokens } from './token.ts'
import { type RefusalCode, unauthorized } from './unauthorized.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The app on whose behalf this is asked; every route under /v3 has one. */
    caller: App
  }
}

export interface AuthNeeds {
  ring: Ring
  tokens: Tokens
  db: Db
  clock: Clock
  names: SignatureNames
  /** Failed attempts by address. */
  failures: Limiter
}

/** Who is asking, by signature or token (decisions, section 2); anything else is 401. A promise only where it waits. */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  needs: AuthNeeds,
): Promise<void> | undefined {
  const proof = prove(request, needs)
  if (proof instanceof Promise) return proof.then((result) => conclude(result, request, reply, needs))
  conclude(proof, request, reply, needs)
  return undefined
}

function conclude(result: App | RefusalCode, request: FastifyRequest, reply: FastifyReply, needs: AuthNeeds): void {
  if (typeof result === 'object') {
    request.caller = result
    return
  }
  throw failure(unauthorized(result, needs.names), request, reply, needs.failures)
}

function prove(request: FastifyRequest, needs: AuthNeeds): Proof {
  const { authorization } = request.headers
  if (authorization === undefined) return 'sin-credenciales'
  const space = authorization.indexOf(' ')
  const scheme = (space < 0 ? authorization : authorization.slice(0, space)).toLowerCase()
  const credential = space < 0 ? '' : authorization.slice(space + 1).trim()
  if (scheme === needs.names.scheme.toLowerCase()) return authenticateSigned(request, credential, needs)
  if (scheme === 'bearer') return authenticateBearer(request, credential, needs)
  return 'sin-credenciales'
}

async function authenticateBearer(
  request: FastifyRequest,
  token: string,
  needs: AuthNeeds,
): Promise<App | RefusalCode> {
  const claims = await needs.tokens.verify(token)
  const holder = claims && (await needs.ring.find(claims.appKey))
  if (!holder?.secrets.some(({ id }) => id === claims?.secretId)) return 'token-invalido'
  request.bytes = await readBody(request)
  return bodyIsProven(request, false) ? holder.app : 'digest-invalido'
}
