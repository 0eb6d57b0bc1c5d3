import { AsyncLocalStorage } from 'node:async_hooks'
import Negotiator from 'negotiator'
import { itself, memoize } from '../memoize.ts'

/** The languages of the texts for people. The first is the default, and that of the specification. */
export const LOCALES = ['es', 'pt', 'en'] as const
export type Locale = (typeof LOCALES)[number]
export const DEFAULT_LOCALE = 'es' satisfies Locale

/** One value for each language. */
export const byLocale = <Value>(make: (locale: Locale) => Value) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, make(locale)])) as Record<Locale, Value>

export const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value)

/** The language of a reader, and the marketplace's country: numbers and dates are written as they are there. */
export interface Language {
  locale: Locale
  country: string
  /** True if only the address of the page gives the language. */
  isInAddress?: boolean
}

const DEFAULT: Readonly<Language> = { locale: DEFAULT_LOCALE, country: 'AR' }

const storage = new AsyncLocalStorage<Language>()

/** Runs a function, and all that it awaits, in a language. */
export const withLanguage = <T>(language: Language, run: () => T): T => storage.run(language, run)

/** Runs a function in a language of this country. */
export const inLocale = <T>(locale: Locale, run: () => T): T =>
  locale === currentLocale() ? run() : withLanguage({ ...currentLanguage(), locale }, run)

export const currentLanguage = (): Readonly<Language> => storage.getStore() ?? DEFAULT
export const currentLocale = (): Locale => currentLanguage().locale

/** For `Intl`: es-AR, pt-BR, en-GB. */
export function intlLocale(): string {
  const { locale, country } = currentLanguage()
  return locale === 'es' ? `es-${country}` : locale === 'pt' ? 'pt-BR' : 'en-GB'
}

const MAX_HEADER = 500 // characters: longer than any browser sends, and bounds the work

/** The language of an `Accept-Language` header (RFC 9110, 12.5.4). */
export const negotiateLocale = (acceptLanguage: string | undefined): Locale =>
  acceptLanguage && acceptLanguage.length <= MAX_HEADER ? negotiate(acceptLanguage) : DEFAULT_LOCALE

/** Few headers are sent again and again. */
const MAX_HEADERS = 1_000
const negotiate = memoize(
  (acceptLanguage) => {
    const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } })
    return (negotiator.language([...LOCALES]) as Locale | undefined) ?? DEFAULT_LOCALE
  },
  itself,
  MAX_HEADERS,
)
