import { lazy } from '../memoize.ts'
import { currentLocale, DEFAULT_LOCALE, inLocale } from './locale.ts'
import { type MessageKey, sourceOf, t, type Values } from './messages.tsx'

/** A text that is stored: in Spanish, because the API has it in the language of the specification. */
export const inSpanish = (key: MessageKey, values?: Values): string => inLocale(DEFAULT_LOCALE, () => t(key, values))

/**
 * Returns a function that translates a stored text into the language of its reader, if it is one of these messages or begins
 * with one. Any other text is returned as it is.
 */
export function storedTexts(keys: readonly MessageKey[]): (text: string) => string {
  const patterns = lazy(() => keys.map((key) => ({ key, pattern: patternOf(key) })))
  return (text) => {
    if (currentLocale() === DEFAULT_LOCALE) return text
    for (const { key, pattern } of patterns()) {
      const match = pattern.exec(text)
      if (match) return t(key, match.groups) + text.slice(match[0].length)
    }
    return text
  }
}

/** Of a message whose parameters are single words. */
const patternOf = (key: MessageKey): RegExp =>
  new RegExp(
    `^${sourceOf(key)
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{(\w+)\}/g, '(?<$1>\\S+?)')}(?= |$)`,
  )
