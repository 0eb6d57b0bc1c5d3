import type { FastifyReply, FastifyRequest } from 'fastify'

/** The languages of the examples: what they are called, and what a reader needs to run one. */
export const LANGUAGES = {
  curl: { title: 'curl', deps: 'bash, curl, openssl y jq' },
  typescript: { title: 'TypeScript', deps: 'Node 22.18 o posterior, sin dependencias; con Node 20: npx tsx' },
  python: { title: 'Python', deps: 'Python 3.9 o posterior, sin dependencias' },
  php: { title: 'PHP', deps: 'PHP 8.1 o posterior, con su extensión curl' },
  csharp: { title: 'C#', deps: '.NET 8, sin dependencias' },
} as const

export type Language = keyof typeof LANGUAGES

export const FIRST: Language = 'curl'

export const languages = Object.keys(LANGUAGES) as Language[]

export const isLanguage = (name: unknown): name is Language =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)

const COOKIE = 'lenguaje'
const A_YEAR_SECONDS = 31_536_000

/** The language chosen last in this browser. */
export const rememberedLanguage = (request: FastifyRequest): Language | undefined =>
  request.server.cookies.values(request, COOKIE).find(isLanguage)

/** Has the browser keep a choice, which is all that the cookie says of the reader. */
export const rememberLanguage = (reply: FastifyReply, language: Language): void =>
  reply.server.cookies.set(reply, COOKIE, language, A_YEAR_SECONDS)
