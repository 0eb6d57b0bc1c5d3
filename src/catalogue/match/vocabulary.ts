import { getOrInsert } from '../../memoize.ts'
import {
  EXPANDED,
  editLimit,
  isSkeleton,
  PREFIX_LONG,
  PREFIX_SHORT,
  SKELETON,
  sound,
  wordLikeness,
} from './likeness.ts'

/** One word of the vocabulary that a written word may stand for, and how sure that is (1: the same). */
export interface Hit {
  readonly token: number
  readonly likeness: number
}

interface Known {
  readonly text: string
  readonly sound: string
  readonly weight: number
}

const MIN_PREFIX_LENGTH = 3
const FARTHEST_LENGTH = 2

/** The words of all names, numbered, and found by what people write for them. */
export class Vocabulary {
  readonly #words: Known[] = []
  readonly #numberOf = new Map<string, number>()
  readonly #byLetter = new Map<string, number[]>()
  #shapes: Shapes<number> | undefined
  readonly #weigh: (word: string) => number

  constructor(weigh: (word: string) => number) {
    this.#weigh = weigh
  }

  /** The number of a word, given to it now if it is new. */
  add(text: string): number {
    const known = this.#numberOf.get(text)
    if (known !== undefined) return known
    const word = { text, sound: sound(text), weight: this.#weigh(text) }
    const number = this.#words.push(word) - 1
    this.#numberOf.set(text, number)
    getOrInsert(this.#byLetter, text.charAt(0), () => []).push(number)
    this.#shapes = undefined
    return number
  }

  has(text: string): boolean {
    return this.#numberOf.has(text)
  }

  weight(token: number): number {
    return (this.#words[token] as Known).weight
  }

  /** The word itself and what it abbreviates. */
  plainHits(text: string, expansions: readonly string[]): Hit[] {
    const hits: Hit[] = []
    const own = this.#numberOf.get(text)
    if (own !== undefined) hits.push({ token: own, likeness: 1 })
    for (const expansion of expansions) {
      const token = this.#numberOf.get(expansion)
      if (token !== undefined) hits.push({ token, likeness: EXPANDED })
    }
    return hits
  }

  /** Words cut short: a prefix ("Capitán Berm") or a skeleton ("Gdor"). */
  shortHits(text: string): Hit[] {
    const hits: Hit[] = []
    if (text.length < 2) return hits
    for (const token of this.#byLetter.get(text.charAt(0)) ?? []) {
      const word = (this.#words[token] as Known).text
      if (word.length <= text.length) continue
      if (text.length >= MIN_PREFIX_LENGTH && word.startsWith(text)) {
        hits.push({ token, likeness: prefixLikeness(text.length, word.length) })
      } else if (isSkeleton(text, word)) {
        hits.push({ token, likeness: SKELETON })
      }
    }
    return hits
  }

  /** Words within a typing error or two, or that sound the same. */
  similarHits(text: string): Hit[] {
    this.#shapes ??= new Shapes<number>().addAll([...this.#words.keys()], (token) => (this.#words[token] as Known).text)
    const hits: Hit[] = []
    const written = { text, sound: sound(text) }
    const shape = shapeOf(text)
    for (let length = text.length - FARTHEST_LENGTH; length <= text.length + FARTHEST_LENGTH; length++) {
      const limit = editLimit(text.length, length)
      if (limit === 0) continue
      for (const token of this.#shapes.alike(length, shape, limit)) {
        const likeness = wordLikeness(written, this.#words[token] as Known, limit)
        if (likeness > 0 && likeness < 1) hits.push({ token, likeness })
      }
    }
    return hits
  }
}

/** Half a word is little: "Boca" need not be Bocayuva. */
function prefixLikeness(written: number, whole: number): number {
  return written > MIN_PREFIX_LENGTH && written * 2 > whole ? PREFIX_LONG : PREFIX_SHORT
}

/** A word's letters and pairs of letters as bits: two words of unlike shapes need not be compared letter by letter. */
interface Shape {
  readonly length: number
  readonly letters: number
  readonly pairs: number
}

export function shapeOf(text: string): Shape {
  let letters = 0
  let pairs = 0
  let before = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    letters |= 1 << (code & 31)
    if (index > 0) pairs |= 1 << ((before * 31 + code) % 32)
    before = code
  }
  return { length: text.length, letters, pairs }
}

const MIN_CHANGE = 0.6 // the cheapest edit that puts one letter for another
const MIN_INSERTION = 0.4 // and the cheapest that makes it longer, a letter doubled
const ROUNDING = 1e-9
const LOST_BIT = 1 << 31 // of the character that may be any letter
const ANY = 4

/** A lost letter may be any letter, so it does not count as a difference. */
const lostIn = (shape: Shape): number => (shape.letters & LOST_BIT ? ANY : 0)

/** Items by the length and shape of a word, in flat arrays, so that thousands are skipped quickly. */
export class Shapes<T> {
  readonly #byLength = new Map<number, { items: T[]; letters: Int32Array; pairs: Int32Array }>()

  addAll(all: readonly T[], textOf: (item: T) => string): this {
    const groups = new Map<number, T[]>()
    for (const item of all) getOrInsert(groups, textOf(item).length, () => []).push(item)
    for (const [length, items] of groups) {
      const shapes = items.map((item) => shapeOf(textOf(item)))
      const letters = Int32Array.from(shapes, (shape) => shape.letters)
      this.#byLength.set(length, { items, letters, pairs: Int32Array.from(shapes, (shape) => shape.pairs) })
    }
    return this
  }

  /** What may be within a number of edits: one changes a letter of each word at most, and four or five pairs. */
  alike(length: number, shape: Shape, edits: number): T[] {
    const found: T[] = []
    const bucket = this.#byLength.get(length)
    if (!bucket) return found
    const { items, letters, pairs } = bucket
    const mostLetters = Math.max(2, Math.floor(2 * edits))
    const longer = Math.abs(length - shape.length) * MIN_INSERTION
    const mostOfOne = Math.floor((edits - longer) / MIN_CHANGE + ROUNDING) + lostIn(shape)
    if (mostOfOne < 0) return found
    const mostPairs = Math.ceil(4 * edits) + 2
    for (let at = 0; at < items.length; at++) {
      const unlike = (letters[at] as number) ^ shape.letters
      if (unlike !== 0) {
        const only = popcount(unlike & shape.letters)
        if (only > mostOfOne) continue
        const others = popcount(unlike) - only
        if (others > mostOfOne || only + others > mostLetters) continue
      }
      if (popcount((pairs[at] as number) ^ shape.pairs) <= mostPairs) found.push(items[at] as T)
    }
    return found
  }
}

function popcount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
