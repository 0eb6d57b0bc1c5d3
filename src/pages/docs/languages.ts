import type { FastifyReply, FastifyRequest } from 'fastify'

export const LANGUAGES = {
  curl: { title: 'curl', requires: 'bash, curl, openssl y jq' },
  typescript: { title: 'TypeScript', requires: 'Node 22.18 o posterior, sin dependencias; con Node 20: npx tsx' },
  python: { title: 'Python', requires: 'Python 3.9 o posterior, sin dependencias' },
  php: { title: 'PHP', requires: 'PHP 8.1 o posterior, con su extensión curl' },
  csharp: { title: 'C#', requires: '.NET 8, sin dependencias' },
} as const

export type Language = keyof typeof LANGUAGES

export const DEFAULT_LANGUAGE: Language = 'curl'

export const languages = Object.keys(LANGUAGES) as Language[]

export const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)

const COOKIE = 'lenguaje'
const A_YEAR_SECONDS = 31_536_000

/** The language that this browser chose last. */
export const languageCookie = (request: FastifyRequest): Language | undefined =>
  request.server.cookies.values(request, COOKIE).find(isLanguage)

/** Stores the choice in a cookie, which holds nothing else. */
export const setLanguageCookie = (reply: FastifyReply, language: Language): void =>
  reply.server.cookies.set(reply, COOKIE, language, A_YEAR_SECONDS)
