import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden } from '../http/problems.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses forms that a browser sends from another site (CSRF). Browsers state the origin of a request; a client that does
 * not is no browser and has nobody's cookie. No hidden fields: a form's POST has only its documented fields.
 */
export function refuseCrossOrigin(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).origin
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE.has(request.method) || isOwn(request, own)) return done()
    throw forbidden('El formulario se envió desde otro sitio. Ábralo en este y vuelva a enviarlo.')
  })
}

function isOwn({ headers }: FastifyRequest, own: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  if (origin === undefined || origin === own) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
