import type { FastifyReply, FastifyRequest } from 'fastify'

/** The languages of the examples, by the name that addresses have. */
export const LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  java: 'Java',
  csharp: 'C#',
  go: 'Go',
} as const

export type SampleLanguage = keyof typeof LANGUAGES

export const DEFAULT_LANGUAGE: SampleLanguage = 'curl'

export const languages = Object.keys(LANGUAGES) as SampleLanguage[]

export const isLanguage = (name: unknown): name is SampleLanguage =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name)

/** The language of that name; links of earlier versions call JavaScript `typescript`. */
export const sampleLanguageOf = (name: unknown): SampleLanguage | undefined =>
  name === 'typescript' ? 'javascript' : isLanguage(name) ? name : undefined

const COOKIE = 'lenguaje'
const A_YEAR_SECONDS = 31_536_000

/** The language that this browser chose last. */
export const languageCookie = (request: FastifyRequest): SampleLanguage | undefined =>
  request.server.cookies.values(request, COOKIE).map(sampleLanguageOf).find(isLanguage)

/** Stores the choice in a cookie, which holds nothing else. */
export const setLanguageCookie = (reply: FastifyReply, language: SampleLanguage): void =>
  reply.server.cookies.set(reply, COOKIE, language, A_YEAR_SECONDS)
