import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CodeOf } from '../http/codes.ts'
import { addressKey, type Limiter, setRateHeaders } from '../http/limits.ts'
import { Problem, tooManyRequests } from '../http/problems.ts'
import type { SignatureNames } from './signature.ts'

/** Why a credential was refused, for a program to switch on. */
export type RefusalCode = CodeOf<'sin-autorizacion'>

const DETAILS: Record<RefusalCode, string> = {
  'sin-credenciales': 'Firme la solicitud o envíe un token: vea /docs.',
  'firma-invalida': 'La app no existe o la firma no corresponde a la solicitud.',
  'fecha-fuera-de-rango': 'La fecha firmada falta o difiere en más de 300 segundos de la hora del servidor.',
  repetida: 'Esta firma ya se usó. Firme cada solicitud de nuevo, con su propia fecha o un encabezado propio distinto.',
  'digest-invalido': 'Digest falta o no corresponde al cuerpo recibido.',
  'token-invalido': 'El token no es válido, venció o su secreto fue revocado. Pida otro en /oauth/token.',
}

export const unauthorized = (code: RefusalCode, { scheme }: SignatureNames): Problem =>
  refusal(code, DETAILS[code], `${scheme} realm="rodado", `)

/** A 401 with its code, and the schemes that would be accepted: `others` and Bearer. */
export function refusal(code: RefusalCode, detail: string, others = ''): Problem {
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
  return tooManyRequests(taken.retryAfterSeconds, 'Demasiados intentos fallidos desde esta dirección.')
}
