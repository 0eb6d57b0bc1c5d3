/** The Stream-Safe Text Format (UAX #15, 13): with longer runs of combining marks, normalising is quadratic. */
const LONG_MARK_RUN = /\p{M}{30}(?=\p{M})/gu
const COMBINING_GRAPHEME_JOINER = '\u034f'

/** Of an email address: RFC 5321, 4.5.3.1.3, without the brackets. */
export const MAIL_CHARACTERS = 254

/** Longer than any text that the server accepts. */
const MAX_CHARACTERS = 20_000

/** Linear-time Unicode normalisation. A longer text is returned unchanged; validation refuses it. */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC', maxCharacters = MAX_CHARACTERS): string {
  if (text.length > maxCharacters) return text
  return text.replace(LONG_MARK_RUN, `$&${COMBINING_GRAPHEME_JOINER}`).normalize(form)
}

/** Invisible characters, which could forge lines or reverse text; not the joiner of emoji. */
const INVISIBLE = /(?![\n\t\u200d])[\p{Cc}\p{Cf}]/gu
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Normalises one line: composed letters, no invisible characters, single spaces. */
export const normalizeLine = (text: string): string =>
  normalize(text, 'NFC').replace(LINE_ENDS, ' ').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()

/** Normalises several lines. */
export const normalizeLines = (text: string): string =>
  normalize(text, 'NFC').replace(LINE_ENDS, '\n').replace(INVISIBLE, '').trim()

/** The first characters of a text, without half a surrogate pair, which neither JSON in PostgreSQL nor an address can hold. */
export const truncate = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

/** With its first letter in upper case. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One normalised line, or null if it is empty. */
export const lineOrNull = (text: string | null | undefined): string | null => (text && normalizeLine(text)) || null
