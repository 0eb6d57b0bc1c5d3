import { lazy } from '../memoize.ts'
import { normalize } from '../text.ts'

const MARKS = /\p{Mn}/gu
const NOT_ASCII = /[^\0-\x7f]/
const OTHER_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' }
const OTHER_LETTER = /[ßæœøđłı]/g

/** Text without case and accents: what `q` and `nombre` filters and every comparison of names use. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (!NOT_ASCII.test(lower)) return lower
  return normalize(lower, 'NFD')
    .replace(MARKS, '')
    .replace(OTHER_LETTER, (char) => OTHER_LETTERS[char] ?? char)
}

/** A key whose plain order is the Spanish alphabetical one (ñ after n); far cheaper than a collator for 17,000 names. */
export function alphabeticalKey(name: string): string {
  return fold(/ñ/i.test(name) ? name.replace(/ñ/gi, 'n\uffff') : name)
}

/** A name as it stands in a path: `c-elysee`, `206-plus`. */
export function codenameOf(name: string): string {
  return fold(name.replace(/\+/g, ' plus '))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Finds the records one of whose names contains the text, ignoring case and accents: the search `q`. */
type NameSearch<Row> = (q: string, among?: readonly Row[]) => readonly Row[]

/** Names are folded once, at the first search. */
export function nameSearch<Row>(rows: readonly Row[], names: (row: Row) => readonly string[]): NameSearch<Row> {
  const folded = lazy(() => new Map(rows.map((row) => [row, names(row).map(fold).join('\n')])))
  return (q, among = rows) => {
    const part = fold(q.trim())
    return among.filter((row) => folded().get(row)?.includes(part))
  }
}
