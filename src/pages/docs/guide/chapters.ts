import { type MarkdownDocument, readMarkdown } from '../../markdown.tsx'
import type { Names } from '../examples.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages.ts'

export interface Reader {
  names: Names
  language: Language
}

export interface Chapter extends MarkdownDocument {
  /** The segment below /docs/guia. */
  slug: string
}

const read = (slug: string): Chapter =>
  Object.assign(readMarkdown(new URL(`./es/${slug}.md`, import.meta.url)), { slug })

/** The lead as plain text: what the reader can do afterwards. */
export const summaryOf = ({ lead }: Chapter): string => lead.map(({ raw }) => raw.trim().replaceAll('\n', ' ')).join('')

export const START = read('inicio')

/** What /llms.txt says (llmstxt.org). */
export const LLMS = read('llms')

export const CHAPTERS: readonly Chapter[] = [
  'firmar',
  'ensayar',
  'invitar',
  'suscribir',
  'verificar',
  'publicar',
  'consultas',
  'errores',
].map(read)

/** The address of a chapter; the language is a parameter, so it works without cookies. */
export const chapterHref = (slug: string, language: Language, entry = ''): string =>
  `/docs/guia${slug && `/${slug}`}${languageQuery(language)}${entry && `#${entry}`}`

export const markdownHref = (slug: string, language: Language): string =>
  `/docs/guia${slug && `/${slug}`}.md${languageQuery(language)}`

const languageQuery = (language: Language): string => (language === DEFAULT_LANGUAGE ? '' : `?lenguaje=${language}`)
