import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey, type Limiter, setRateHeaders } from '../http/limits.ts'
import { Problem, tooManyRequests } from '../http/problems.ts'
import type { SignatureNames } from './signature.ts'

/** Why a credential was refused, for a program to switch on. */
export type RefusalCode = keyof typeof DETAILS

const DETAILS = {
  'sin-credenciales': 'Firme la solicitud o envíe un token: vea /docs.',
  'firma-invalida': 'La app no existe o la firma no corresponde a la solicitud.',
  'fecha-fuera-de-rango': 'La fecha firmada falta o difiere en más de 300 segundos de la hora del servidor.',
  repetida: 'Esta firma ya se usó. Firme cada solicitud de nuevo, con su propia fecha o un encabezado propio distinto.',
  'digest-invalido': 'Digest falta o no corresponde al cuerpo recibido.',
  'token-invalido': 'El token no es válido, venció o su secreto fue revocado. Pida otro en /oauth/token.',
}

/** The 401 of every failed authentication. */
export function unauthorized(code: RefusalCode, { scheme }: SignatureNames): Problem {
  const bearer = code === 'token-invalido' ? 'Bearer realm="rodado", error="invalid_token"' : 'Bearer realm="rodado"'
  return new Problem('sin-autorizacion', DETAILS[code], {
    extensions: { Codigo: code },
    headers: { 'www-authenticate': `${scheme} realm="rodado", ${bearer}`, 'cache-control': 'no-store' },
  })
}

/**
 * The response to a refused credential: its 401, or 429 if the address fails too often. Only failures are counted, so a
 * valid credential is never refused because of others at the same address.
 */
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
