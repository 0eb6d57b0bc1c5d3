import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { negotiate } from './negotiate.ts'
import { invalid, methodNotAllowed, notAcceptable, notFound } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The media type the answer will have; empty where the route offers none. */
    negotiated: string
  }
  interface FastifyContextConfig {
    /** The media types a route answers in, best first, read from its response schema. */
    offers?: readonly string[]
  }
}

/** Where malformed addresses go: no route matches it, so they pass the same door as any other. */
export const BAD_URL = '/%EF%BF%BD'

/** An address whose escapes cannot be decoded would never reach a hook; under this name it does. */
export function routableUrl(url: string): string {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  if (!path.includes('%')) return url
  try {
    return decodeURIComponent(path).includes('\0') ? badUrl(path) : url
  } catch {
    return badUrl(path)
  }
}

const badUrl = (path: string) => (path === '/v3' || path.startsWith('/v3/') ? `/v3${BAD_URL}` : BAD_URL)

/** Notes what each route offers, so that negotiation reads it from the same schema that serialises the answer. */
export function noteOffers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const responses = (route.schema?.response ?? {}) as Record<
      string,
      { content?: Record<string, unknown> } | undefined
    >
    const success = Object.keys(responses).find((status) => status.startsWith('2') && responses[status]?.content)
    if (success) route.config = { ...route.config, offers: Object.keys(responses[success]?.content ?? {}) }
  })
}

/** The refusals that follow from the address and the `Accept` header alone: 404, 405, 406 (decisions, "Order"). */
export function passDoor(request: FastifyRequest, reply: FastifyReply): void {
  if (request.is404)
    throw request.url === request.originalUrl ? notFound() : invalid({ _: ['La dirección no se puede decodificar.'] })
  const { notAllowed, offers } = request.routeOptions.config
  if (notAllowed) throw methodNotAllowed(notAllowed)
  if (!offers) return

  reply.header('vary', 'Accept')
  const chosen = negotiate(request.headers.accept, offers)
  if (!chosen) throw notAcceptable(offers)
  request.negotiated = chosen
  reply.header('content-type', chosen)
}
