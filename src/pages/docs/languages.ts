import type { FastifyReply, FastifyRequest } from 'fastify'

export const LANGUAGES = {
  curl: { title: 'curl', requires: 'bash, curl, openssl y jq' },
  javascript: { title: 'JavaScript', requires: 'Node 20.19 o posterior, sin dependencias; vale también en TypeScript' },
  python: { title: 'Python', requires: 'Python 3.9 o posterior, sin dependencias' },
  php: { title: 'PHP', requires: 'PHP 8.1 o posterior, con su extensión curl' },
  java: { title: 'Java', requires: 'JDK 17 o posterior, y Gson' },
  csharp: { title: 'C#', requires: '.NET 8, sin dependencias' },
  go: { title: 'Go', requires: 'Go 1.21 o posterior, sin dependencias' },
} as const

export type Language = keyof typeof LANGUAGES

export const DEFAULT_LANGUAGE: Language = 'curl'

export const languages = Object.keys(LANGUAGES) as Language[]

export const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)

/** The language of that name; links of earlier versions call JavaScript `typescript`. */
export const languageOf = (name: unknown): Language | undefined =>
  name === 'typescript' ? 'javascript' : isLanguage(name) ? name : undefined

const COOKIE = 'lenguaje'
const A_YEAR_SECONDS = 31_536_000

/** The language that this browser chose last. */
export const languageCookie = (request: FastifyRequest): Language | undefined =>
  request.server.cookies.values(request, COOKIE).map(languageOf).find(isLanguage)

/** Stores the choice in a cookie, which holds nothing else. */
export const setLanguageCookie = (reply: FastifyReply, language: Language): void =>
  reply.server.cookies.set(reply, COOKIE, language, A_YEAR_SECONDS)
