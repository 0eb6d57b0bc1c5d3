import { byLocale, currentLocale, DEFAULT_LOCALE } from '../../../i18n/locale.ts'
import { type MarkdownDocument, readMarkdown } from '../../markdown.tsx'
import type { Names } from '../examples.ts'
import { DEFAULT_LANGUAGE, type SampleLanguage } from '../languages.ts'

export interface Reader {
  names: Names
  /** Of the programs; the text is in that of the request. */
  language: SampleLanguage
}

export interface Chapter extends MarkdownDocument {
  /** The segment below /docs/guia. */
  slug: string
}

/** The lead as plain text: what the reader can do afterwards. */
export const summaryOf = ({ lead }: Chapter): string => lead.map(({ raw }) => raw.trim().replaceAll('\n', ' ')).join('')

interface Guide {
  start: Chapter
  /** What /llms.txt says (llmstxt.org). */
  llms: Chapter
  chapters: readonly Chapter[]
}

export const SLUGS = [
  'firmar',
  'ensayar',
  'invitar',
  'suscribir',
  'verificar',
  'publicar',
  'consultas',
  'errores',
] as const

const GUIDES = byLocale((locale): Guide => {
  const read = (slug: string): Chapter =>
    Object.assign(readMarkdown(new URL(`./${locale}/${slug}.md`, import.meta.url)), { slug })
  return { start: read('inicio'), llms: read('llms'), chapters: SLUGS.map(read) }
})

/** The guide in the language of the request. */
export const guide = (): Guide => GUIDES[currentLocale()]

/** The address of a chapter; the language is a parameter, so it works without cookies. */
export const chapterHref = (slug: string, language: SampleLanguage, entry = ''): string =>
  `/docs/guia${slug && `/${slug}`}${languageQuery(language)}${entry && `#${entry}`}`

/** The address of a chapter as Markdown. The language of the text is a parameter too: programs have no cookies. */
export function markdownHref(slug: string, language: SampleLanguage): string {
  const locale = currentLocale()
  const query = languageQuery(language)
  const ofText = locale === DEFAULT_LOCALE ? '' : `${query ? '&' : '?'}idioma=${locale}`
  return `/docs/guia${slug && `/${slug}`}.md${query}${ofText}`
}

const languageQuery = (language: SampleLanguage): string =>
  language === DEFAULT_LANGUAGE ? '' : `?lenguaje=${language}`
