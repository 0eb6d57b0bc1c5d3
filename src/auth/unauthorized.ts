import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CodeOf } from '../http/codes.ts'
import { addressKey, type Limiter, setRateHeaders } from '../http/limits.ts'
import { type Detail, Problem, tooManyRequests } from '../http/problems.ts'
import { message } from '../i18n/messages.tsx'
import type { SignatureNames } from './signature.ts'

/** Why a credential was refused, for a program to switch on. */
export type RefusalCode = CodeOf<'sin-autorizacion'>

export const unauthorized = (code: RefusalCode, { scheme }: SignatureNames): Problem =>
  refusal(code, message(`problema.auth.${code}`), `${scheme} realm="rodado", `)

/** A 401 with its code, and the schemes that would be accepted: `others` and Bearer. */
export function refusal(code: RefusalCode, detail: Detail, others = ''): Problem {
  const error = code === 'token-invalido' ? ', error="invalid_token"' : ''
  return new Problem('sin-autorizacion', detail, {
    code,
    headers: { 'www-authenticate': `${others}Bearer realm="rodado"${error}`, 'cache-control': 'no-store' },
  })
}

/** 401, or 429 if the address fails too often. Only failures count, so others never block a valid credential. */
export function limitFailures(
  refusal: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  failures: Limiter,
): Problem {
  const taken = failures.take(addressKey(request.ip))
  setRateHeaders(reply, 'direccion', failures.rate, taken)
  if (taken.allowed) return refusal
  return tooManyRequests(taken.retryAfterSeconds, message('problema.failuresByAddress'))
}
