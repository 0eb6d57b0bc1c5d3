import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseType } from './accept.ts'
import type { Paths } from './allowed-methods.ts'
import { invalid, methodNotAllowed, notAcceptable, notFound, type Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The media type of the answer; empty if the route offers none. */
    negotiated: string
  }
  interface FastifyContextConfig {
    /** The media types of a route, best first, from its response schema. */
    offers?: readonly string[]
  }
}

/** Malformed URLs are rewritten to this one, which no route matches, so that they pass the same hooks. */
const BAD_URL = '/%EF%BF%BD'

/** The path and query of a request target; a client that sends the whole address (RFC 9112, 3.2.2) means the same. */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'

/** The URL to route. One that cannot be decoded would never reach a hook, so it is replaced. */
export function routableUrl(target: string): string {
  const url = originForm(target)
  return !url.includes('%') || isDecodable(url) ? url : badUrl(url)
}

/** True if it decodes to UTF-8 without NUL, which PostgreSQL cannot store. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0')
  } catch {
    return false
  }
}

const badUrl = (url: string) => `${/^\/(?:v3|interno)(?=[/?]|$)/.exec(url)?.[0] ?? ''}${BAD_URL}`

const isBadUrl = (url: string) => url.endsWith(BAD_URL)

/** Reads what each route offers from the schema that also serialises its response. */
export function readOffers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const responses = (route.schema?.response ?? {}) as Record<
      string,
      { content?: Record<string, unknown> } | undefined
    >
    const success = Object.keys(responses).find((status) => status.startsWith('2') && responses[status]?.content)
    if (success) route.config = { ...route.config, offers: Object.keys(responses[success]?.content ?? {}) }
  })
}

/** The refusal of a URL without a route: 400 if it cannot be decoded, 405 if the path has other methods, else 404. */
export function routeNotFound(request: FastifyRequest, paths: Paths): Problem {
  if (isBadUrl(request.url)) return invalid({ _: ['La dirección no se puede decodificar.'] })
  const allow = paths.allowAt(request.url)
  return allow ? methodNotAllowed(allow) : notFound()
}

/** Refuses what the URL and the `Accept` header alone decide: 404, 405, 406 (decisions, "Order"). */
export function negotiate(request: FastifyRequest, reply: FastifyReply, paths: Paths): void {
  if (request.is404) throw routeNotFound(request, paths)
  const { offers, url = '' } = request.route
  const allow = paths.allowBefore(url, request.url)
  if (allow) throw methodNotAllowed(allow)
  if (!offers) return

  reply.header('vary', 'Accept')
  const chosen = chooseType(request.headers.accept, offers)
  if (!chosen) throw notAcceptable(offers)
  request.negotiated = chosen
  reply.header('content-type', chosen)
}
