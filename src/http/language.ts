import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY_SECONDS } from '../clock.ts'
import { isLocale, type Language, type Locale, negotiateLocale, withLanguage } from '../i18n/locale.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The marketplace's country, which numbers and dates are written for. */
    country: string
  }
  interface FastifyRequest {
    /** Set by `languageOf`. */
    language: Language | undefined
  }
}

/** Kept for a year. */
const COOKIE = 'rodado_idioma'
const COOKIE_SECONDS = 365 * DAY_SECONDS

/** The language that the person chose in this browser. */
const chosenLocale = (request: FastifyRequest): Locale | undefined =>
  request.server.cookies.values(request, COOKIE).find(isLocale)

export const rememberLocale = (reply: FastifyReply, locale: Locale): void =>
  reply.server.cookies.set(reply, COOKIE, locale, COOKIE_SECONDS)

/** `?idioma=pt`, so that a link can lead to a page in a language. */
function requestedLocale({ query }: FastifyRequest): Locale | undefined {
  const { idioma } = query as { idioma?: unknown }
  return isLocale(idioma) ? idioma : undefined
}

/** The chosen language, else the first of the browser's that we have. */
const readersLocale = (request: FastifyRequest): Locale =>
  chosenLocale(request) ?? negotiateLocale(request.headers['accept-language'])

/** The language of a page: that of its address, else the reader's. */
export function languageOf(request: FastifyRequest): Language {
  return (request.language ??= readLanguage(request))
}

function readLanguage(request: FastifyRequest): Language {
  const own = readersLocale(request)
  const locale = requestedLocale(request) ?? own
  return { locale, country: request.server.country, isInAddress: locale !== own }
}

/** The language of a text for programs, which have no cookies. */
export const localeForPrograms = (request: FastifyRequest): Locale =>
  requestedLocale(request) ?? negotiateLocale(request.headers['accept-language'])

/** A signed-in person's own language, in a browser where none was chosen. */
export function preferLocale(request: FastifyRequest, locale: string | null): void {
  if (isLocale(locale) && !requestedLocale(request) && !chosenLocale(request)) languageOf(request).locale = locale
}

/** Runs the handlers of a scope of pages in the language of each request. */
export function negotiateLanguage(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withLanguage(languageOf(request), done))
  // What follows the body runs where its last bytes were read, outside the storage of the hook above.
  app.addHook('preValidation', (request, _reply, done) => withLanguage(languageOf(request), done))
}

/** Adds to `Vary` what a response depends on. */
export function vary(reply: FastifyReply, ...headers: string[]): FastifyReply {
  const named = String(reply.getHeader('vary') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const added = headers.filter((header) => !named.some((name) => name.toLowerCase() === header.toLowerCase()))
  return reply.header('vary', [...named, ...added].join(', '))
}
