import type { FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../http/body.ts'
import type { Limiter } from '../http/limits.ts'
import { Problem } from '../http/problems.ts'
import type { SitioCache } from '../sitios/cache.ts'
import type { Sitio } from '../sitios/store.ts'
import { bodyIsProven } from './signed.ts'
import { limitFailures } from './unauthorized.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site that asks; every route under /interno has one. */
    sitio: Sitio
  }
}

interface SitioAuthDeps {
  sitios: SitioCache
  /** Failed attempts by address. */
  failures: Limiter
}

/** Which of the marketplace's sites asks, by its SitioKey as a Bearer token; anything else is 401. */
export async function authenticateSitio(
  request: FastifyRequest,
  reply: FastifyReply,
  { sitios, failures }: SitioAuthDeps,
  { readsBody, admit }: { readsBody(sitio: Sitio): boolean; admit(sitio: Sitio): unknown },
): Promise<void> {
  const sitioKey = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const sitio = sitioKey && (await sitios.find(sitioKey))
  if (!sitio)
    throw limitFailures(unauthorized(sitioKey ? 'token-invalido' : 'sin-credenciales'), request, reply, failures)
  request.bytes = await readBody(request, `sitio ${sitio.id}`, readsBody(sitio))
  if (!bodyIsProven(request, false)) throw limitFailures(unauthorized('digest-invalido'), request, reply, failures)
  request.sitio = sitio
  admit(sitio)
}

const DETAILS = {
  'sin-credenciales': 'Envíe la SitioKey: Authorization: Bearer {SitioKey}.',
  'token-invalido': 'La SitioKey no existe o fue revocada.',
  'digest-invalido': 'Digest no corresponde al cuerpo recibido.',
}

function unauthorized(code: keyof typeof DETAILS): Problem {
  const error = code === 'token-invalido' ? ', error="invalid_token"' : ''
  return new Problem('sin-autorizacion', DETAILS[code], {
    extensions: { Codigo: code },
    headers: { 'www-authenticate': `Bearer realm="rodado"${error}`, 'cache-control': 'no-store' },
  })
}
