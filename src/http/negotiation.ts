import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { orUndefined } from '../memoize.ts'
import type { Paths } from './allowed-methods.ts'
import { fault, invalid, methodNotAllowed, notAcceptable, notFound, type Problem } from './problems.ts'

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

/** The path of a request target, as problems name it. */
export const pathOf = (target: string): string => originForm(target).split('?', 1)[0] ?? ''

/** The URL to route. One that cannot be decoded would never reach a hook, so it is replaced. */
export function routableUrl(target: string): string {
  const url = originForm(target)
  return !url.includes('%') || isDecodable(url) ? url : badUrl(url)
}

/** True if it decodes to UTF-8 without NUL, which PostgreSQL cannot store. */
const isDecodable = (url: string): boolean => orUndefined(() => decodeURIComponent(url))?.includes('\0') === false

const badUrl = (url: string) => `${/^\/(?:v3|interno\/v1)(?=[/?]|$)/.exec(url)?.[0] ?? ''}${BAD_URL}`

const isBadUrl = (url: string) => url.endsWith(BAD_URL)

/** A resource is shown whole or as a reference (spec, "Content negotiation"). */
export type Representation = 'entry' | 'ref'

export const representationOf = ({ negotiated }: Pick<FastifyRequest, 'negotiated'>): Representation =>
  negotiated.endsWith('.ref+json') ? 'ref' : 'entry'

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
  if (isBadUrl(request.url)) return invalid({ _: [fault('ilegible', 'La dirección no se puede decodificar.')] })
  const allow = paths.allowAt(request.url)
  return allow ? methodNotAllowed(allow) : notFound()
}

/** The nearest page above an address that only forms are sent to. */
export function pageAbove(url: string, paths: Paths): string | undefined {
  const segments = (url.split('?', 1)[0] ?? '').split('/')
  while (segments.length > 2) {
    segments.pop()
    const path = segments.join('/')
    if (paths.allowAt(path)?.startsWith('GET')) return path
  }
  return undefined
}

/** Answers OPTIONS on a path that does not declare it; false for another method or an unknown path. */
export function allowOptions(request: FastifyRequest, reply: FastifyReply, paths: Paths): boolean {
  const allow = request.method === 'OPTIONS' ? paths.allowAt(request.url) : undefined
  if (allow) reply.code(204).header('allow', allow).send()
  return allow !== undefined
}

/** Refuses what the URL and the `Accept` header alone decide: 404, 405, 406 (docs/decisions/api.md). */
export function negotiate(request: FastifyRequest, reply: FastifyReply, paths: Paths): void {
  if (request.is404 && allowOptions(request, reply, paths)) return
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

/** RFC 9110, 12.5.1: an offer has the quality of the most specific range that covers it; ties go to the earlier. */
export function chooseType(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (!accept?.trim()) return offers[0] // an empty header has no preference
  const ranges = parseWeighted(accept)

  let best: string | undefined
  let bestQuality = 0
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges)
    if (quality > bestQuality) {
      best = offer
      bestQuality = quality
    }
  }
  return best
}

function qualityOf(offer: string, ranges: Weighted[]): number {
  // Old Java clients send `*` for `*/*` (docs/decisions/api.md).
  const bySpecificity = [[offer], [`${offer.slice(0, offer.indexOf('/'))}/*`], ['*/*', '*']]
  for (const values of bySpecificity) {
    const matching = ranges.filter(({ value }) => values.includes(value))
    if (matching.length > 0) return Math.max(...matching.map(({ q }) => q))
  }
  return 0
}

interface Weighted {
  value: string
  q: number
}

/**
 * The values of an `Accept` or `Accept-Encoding` header in lower case, with their weights. Other parameters, such as a
 * charset, do not distinguish our types and are ignored.
 */
export const parseWeighted = (header: string): Weighted[] =>
  header
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      return { value, q: qualityParameter(parameters) }
    })

/** The weight of a range (RFC 9110, 12.4.2), also without its leading zero; an invalid one counts as 0. */
function qualityParameter(parameters: string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (weight === undefined) return 1
  const value = weight.slice(weight.indexOf('=') + 1).trim()
  return /^(0(\.\d{0,3})?|\.\d{1,3}|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0
}
