import { readFileSync } from 'node:fs'
import type { Document } from '../../http/openapi/document.ts'
import { currentLocale, DEFAULT_LOCALE, type Locale } from '../../i18n/locale.ts'
import { lazy } from '../../memoize.ts'

/**
 * What the OpenAPI document and the codes say is written once, in Spanish, where each thing is defined, and is part of the
 * contract. These files have the same in another language, by the Spanish text.
 */
const read = (locale: Locale) =>
  lazy((): Map<string, string> => {
    const file = new URL(`./texts/${locale}.json`, import.meta.url)
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
  })

export const TRANSLATIONS = { pt: read('pt'), en: read('en') }

/** A text of the document or of a code in the language of the request. */
export function translate(text: string): string {
  const locale = currentLocale()
  return locale === DEFAULT_LOCALE ? text : (TRANSLATIONS[locale]().get(text) ?? text)
}

const READABLE = new Set(['summary', 'description', 'x-displayName'])

/** The document for readers of the request's language; names and examples stay as they are. */
export function translateDocument(document: Document): Document {
  if (currentLocale() === DEFAULT_LOCALE) return document
  return JSON.parse(JSON.stringify(document), (key, value) =>
    READABLE.has(key) && typeof value === 'string' ? translate(value) : value,
  )
}
