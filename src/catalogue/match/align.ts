import { getOrInsert } from '../../memoize.ts'
import { LIGHT, type NameForm, type NameIndex, NONE } from './names.ts'
import type { Hit } from './vocabulary.ts'

/** How a written value accounts for one form of a name. */
export interface Alignment<E> {
  readonly form: NameForm<E>
  /** The part of the form's weight that the value covers, each word counted by its likeness. */
  readonly coverage: number
  /** The weight of the form's words that were found. */
  readonly found: number
  /** The part of that weight found by more than a single letter. */
  readonly firm: number
  /** The weight of the most distinctive of them, numbers aside. */
  readonly strongest: number
  /** Whether every word found is the same or its abbreviation, not merely alike. */
  readonly exact: boolean
  /** Whether a single letter had to stand for a word. */
  readonly initials: boolean
  /** The value's words that the form uses, a bit for each position. */
  readonly used: number
  /** How many of the form's words were found. */
  readonly count: number
  /** The position of the first of them in the value. */
  readonly from: number
}

/** A word of the value, with what it may abbreviate. */
export interface Written {
  readonly text: string
  readonly expansions: readonly string[]
  /** A number identifies nothing by itself: "Once" is no part of "Kilómetro 11". */
  readonly number?: boolean
}

/** Words of a value beyond these are not read: a bit for each must fit a number, and no name is that long. */
export const MAX_WORDS = 12

/** Names that one value is compared with, word by word; a value that people write leads to far fewer. */
export const MAX_FORMS = 100

const EXACT_FROM = 0.97
const INITIAL = 0.82
const WORTH_FOLLOWING = 0.42
const WORTH_KEEPING = 0.25

interface Reading {
  readonly at: number
  readonly likeness: number
}
type Readings = ReadonlyMap<number, readonly Reading[]>

/** Every form that shares a distinctive word with the value; `reach` says how unlike a word may be. */
export function align<E>(index: NameIndex<E>, value: readonly Written[], reach: 'plain' | 'similar'): Alignment<E>[] {
  const readings = readingsOf(index, value, reach)
  const numbers = formsToCompare(index, distinctiveTokens(index, readings))
  const alignments: Alignment<E>[] = []
  for (const number of numbers) {
    const alignment = alignForm(index, index.forms[number] as NameForm<E>, value, readings)
    if (alignment.coverage >= WORTH_KEEPING) alignments.push(alignment)
  }
  return alignments
}

/** The forms that hold one of these words: all of them, or, where they are too many, those of the rarest words. */
function formsToCompare<E>(index: NameIndex<E>, tokens: readonly number[]): Set<number> {
  const holding = tokens.map((token) => index.formsWith(token))
  const total = holding.reduce((sum, forms) => sum + forms.length, 0)
  if (total > MAX_FORMS) holding.sort((a, b) => a.length - b.length)
  const numbers = new Set<number>()
  for (const forms of holding) {
    for (const number of forms) {
      if (numbers.size === MAX_FORMS) return numbers
      numbers.add(number)
    }
  }
  return numbers
}

function readingsOf<E>(index: NameIndex<E>, value: readonly Written[], reach: 'plain' | 'similar'): Readings {
  const readings = new Map<number, Reading[]>()
  for (let at = 0; at < value.length; at++) {
    for (const { token, likeness } of hitsOf(index, value[at] as Written, reach)) {
      getOrInsert(readings, token, () => []).push({ at, likeness })
    }
  }
  return readings
}

function hitsOf<E>(index: NameIndex<E>, word: Written, reach: 'plain' | 'similar'): readonly Hit[] {
  if (LIGHT.has(word.text)) return []
  const { vocabulary } = index
  const plain = vocabulary.plainHits(word.text, word.expansions)
  // A word that stands in some name is seldom a slip for another; names as a whole are compared elsewhere.
  if (reach === 'plain' || vocabulary.has(word.text)) return plain
  return [...plain, ...vocabulary.shortHits(word.text), ...vocabulary.similarHits(word.text)]
}

/** Words in few names lead to the candidates; common ones ("san") only where nothing better was written. */
function distinctiveTokens<E>(index: NameIndex<E>, readings: Readings): number[] {
  const all = [...readings.keys()]
  const distinctive = all.filter((token) => index.weight(token) >= WORTH_FOLLOWING)
  return distinctive.length ? distinctive : all
}

function alignForm<E>(
  index: NameIndex<E>,
  form: NameForm<E>,
  value: readonly Written[],
  readings: Readings,
): Alignment<E> {
  const sums = { found: 0, firm: 0, strongest: 0, exact: true, initials: false, used: 0, count: 0, from: value.length }
  let covered = 0
  let last = -1
  for (let position = 0; position < form.ids.length; position++) {
    const token = form.ids[position] as number
    const text = form.tokens[position] as string
    const reading = pick(readings.get(token), sums.used)
    const isInitial = !reading && token !== NONE
    const at = reading?.at ?? (isInitial ? initialOf(text, value, sums.used, last) : sameWord(text, value, sums.used))
    if (at < 0) continue
    const likeness = reading?.likeness ?? (isInitial ? INITIAL : 1)
    const weight = index.weight(token)
    const written = value[at] as Written
    last = at
    covered += weight * likeness
    sums.found += weight
    sums.count++
    sums.used |= 1 << at
    sums.from = Math.min(sums.from, at)
    sums.initials ||= isInitial
    sums.exact &&= likeness >= EXACT_FROM
    if (written.text.length > 1) sums.firm += weight
    if (weight > sums.strongest && !written.number) sums.strongest = weight
  }
  return { form, coverage: form.weight ? covered / form.weight : 0, ...sums }
}

function pick(readings: readonly Reading[] | undefined, used: number): Reading | undefined {
  let best: Reading | undefined
  if (!readings) return undefined
  for (const reading of readings) {
    if ((used & (1 << reading.at)) === 0 && (!best || reading.likeness > best.likeness)) best = reading
  }
  return best
}

function sameWord(text: string, value: readonly Written[], used: number): number {
  for (let at = 0; at < value.length; at++) {
    if ((value[at] as Written).text === text && (used & (1 << at)) === 0) return at
  }
  return -1
}

/** Initials keep the order of the name: "L. N. Alem", never "N. Alem L.". */
function initialOf(text: string, value: readonly Written[], used: number, after: number): number {
  for (let at = after + 1; at < value.length; at++) {
    const written = (value[at] as Written).text
    if (written.length === 1 && written === text[0] && (used & (1 << at)) === 0) return at
  }
  return -1
}
