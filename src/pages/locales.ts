import { currentLocale } from '../i18n/locale.ts'

/**
 * The languages of the long texts. Each text is a Markdown file in a folder named after its language, beside the code that
 * reads it: `guide/es/firmar.md`. A language is listed here once all of its files exist: none is shown in another language.
 */
export const TEXT_LOCALES = ['es'] as const

export type TextLocale = (typeof TEXT_LOCALES)[number]

/** One value for each language. */
export const byLocale = <Value>(make: (locale: TextLocale) => Value) =>
  Object.fromEntries(TEXT_LOCALES.map((locale) => [locale, make(locale)])) as Record<TextLocale, Value>

/** The language of the request that is being answered; Spanish for one whose texts do not exist yet. */
export const textLocale = (): TextLocale => TEXT_LOCALES.find((locale) => locale === currentLocale()) ?? TEXT_LOCALES[0]
