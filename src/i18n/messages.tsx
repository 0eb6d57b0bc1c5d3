import { readdirSync, readFileSync } from 'node:fs'
import IntlMessageFormat from 'intl-messageformat'
import type { ComponentChildren, VNode } from 'preact'
import { getOrInsert, lazy } from '../memoize.ts'
import type { MessageKey } from './keys.ts'
import { currentLanguage, DEFAULT_LOCALE, intlLocale, LOCALES, type Locale } from './locale.ts'

export type { MessageKey }

/** The values of a message's parameters. */
export type Values = Record<string, string | number | boolean | Date | null | undefined>

/** Of a message with elements: also elements, and a function for each tag that is not one of `TAGS`. */
type RichValues = Record<string, Values[string] | VNode | ((children: ComponentChildren) => VNode)>

/** The texts of a language by key: `area.name`, of the file AREA.json. */
export function readCatalogue(locale: Locale): Map<string, string> {
  const folder = new URL(`./${locale}/`, import.meta.url)
  const texts = readdirSync(folder).flatMap((file) => {
    const area = file.replace(/\.json$/, '')
    const messages: Record<string, string> = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    return Object.entries(messages).map(([name, text]) => [`${area}.${name}`, text] as const)
  })
  return new Map(texts)
}

const CATALOGUES = Object.fromEntries(LOCALES.map((locale) => [locale, lazy(() => readCatalogue(locale))])) as Record<
  Locale,
  () => Map<string, string>
>

/** The Spanish message, with its parameters. */
export const sourceOf = (key: MessageKey): string => CATALOGUES[DEFAULT_LOCALE]().get(key) ?? ''

/** Most texts have nothing to fill in. */
const IS_PLAIN = /^[^{}<>'#]*$/

type Compiled = string | IntlMessageFormat

const compiled = new Map<string, Map<string, Compiled>>()

/** Compiled at its first use, for each language and country. */
function messageOf(key: MessageKey): Compiled {
  const tag = intlLocale()
  const messages = getOrInsert(compiled, tag, () => new Map<string, Compiled>())
  return getOrInsert(messages, key, () => {
    const text = CATALOGUES[tag.slice(0, 2) as Locale]().get(key)
    if (text === undefined) throw new Error(`No text ${key} in ${tag}.`)
    return IS_PLAIN.test(text) ? text : new IntlMessageFormat(text, tag, undefined, { formatters: FORMATTERS })
  })
}

/** Shared by all messages: creating an `Intl` object is slow. */
const FORMATTERS = {
  getNumberFormat: cached((...of: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...of)),
  getDateTimeFormat: cached(
    (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...of),
  ),
  getPluralRules: cached((...of: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...of)),
}

function cached<Args extends unknown[], Result>(create: (...args: Args) => Result): (...args: Args) => Result {
  const known = new Map<string, Result>()
  return (...args) => getOrInsert(known, JSON.stringify(args), () => create(...args))
}

/** A text in the language of the request. Every text may choose a word by `country`. */
export function t(key: MessageKey, values?: Values): string {
  const format = messageOf(key)
  return typeof format === 'string' ? format : String(format.format({ country: currentLanguage().country, ...values }))
}

/** A text that is read later, in the language of its reader. */
export interface Message {
  key: MessageKey
  values?: Values
}

export const message = (key: MessageKey, values: Values = {}): Message => ({ key, values })

export const textOf = (text: string | Message): string => (typeof text === 'string' ? text : t(text.key, text.values))

export const hasMessage = (key: string): key is MessageKey => CATALOGUES[DEFAULT_LOCALE]().has(key)

/** The text of a key that ends with a stored value, or `otherwise` for a value that has none. */
export const textOrElse = <Otherwise,>(key: string, otherwise: Otherwise): string | Otherwise =>
  hasMessage(key) ? t(key) : otherwise

/** Tags that every text may have. */
const TAGS = {
  b: (children: ComponentChildren) => <strong>{children}</strong>,
  em: (children: ComponentChildren) => <em>{children}</em>,
  code: (children: ComponentChildren) => <code>{children}</code>,
  /** For screen readers: what a short label refers to. */
  hidden: (children: ComponentChildren) => <span class="visually-hidden">{children}</span>,
}

/** A text with elements in it: `<link>…</link>` calls the function `link` of the values. */
export function rich(key: MessageKey, values: RichValues = {}): VNode {
  const format = messageOf(key)
  if (typeof format === 'string') return <>{format}</>
  return <>{format.format<ComponentChildren>({ ...TAGS, country: currentLanguage().country, ...values } as never)}</>
}

/** Labels by value, each in the language of the request that reads it: for lists that are defined once. */
export function labels<Value extends string>(
  keys: Readonly<Record<Value, MessageKey>>,
): Readonly<Record<Value, string>> {
  const entries = Object.entries<MessageKey>(keys)
  return Object.defineProperties(
    {},
    Object.fromEntries(entries.map(([value, key]) => [value, { enumerable: true, get: () => t(key) }])),
  ) as Record<Value, string>
}
