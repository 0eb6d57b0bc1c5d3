import type { FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../http/body.ts'
import type { Limiter } from '../http/limits.ts'
import { message } from '../i18n/messages.tsx'
import type { Sitio, SitioCache } from '../sitios/store.ts'
import { type Admission, digestMatches } from './authenticate.ts'
import { limitFailures, refusal } from './unauthorized.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The site that calls; every route under /interno has one. */
    sitio: Sitio
  }
}

interface SitioAuthDeps {
  sitios: SitioCache
  failures: Limiter
}

/** Which of the marketplace's sites calls, by its SitioKey as a Bearer token; anything else is 401. */
export async function authenticateSitio(
  request: FastifyRequest,
  reply: FastifyReply,
  { sitios, failures }: SitioAuthDeps,
  { shouldReadBody, admit }: Admission<Sitio>,
): Promise<void> {
  const refuse = (code: 'sin-credenciales' | 'token-invalido' | 'digest-invalido') =>
    limitFailures(refusal(code, message(`problema.site.${code}`)), request, reply, failures)
  const sitioKey = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const sitio = sitioKey && (await sitios.find(sitioKey))
  if (!sitio) throw refuse(sitioKey ? 'token-invalido' : 'sin-credenciales')
  request.rawBody = await readBody(request, `sitio ${sitio.id}`, shouldReadBody(sitio))
  if (!digestMatches(request, false)) throw refuse('digest-invalido')
  request.sitio = sitio
  admit(sitio)
}
