import { EXPANDED, editLimit, isSkeleton, PREFIX_LONG, PREFIX_SHORT, SKELETON, wordLikeness } from './likeness.ts'
import { append } from './lists.ts'
import { Shapes, shapeOf } from './shape.ts'
import { sound } from './sound.ts'

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

const SHORTEST_PREFIX = 3
const FARTHEST_LENGTH = 2

/** The words of all names, numbered, and found by what people write for them. */
export class Vocabulary {
  readonly #words: Known[] = []
  readonly #numberOf = new Map<string, number>()
  readonly #byLetter = new Map<string, number[]>()
  readonly #shapes = new Shapes<number>()
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
    append(this.#byLetter, text.charAt(0), number)
    this.#shapes.add(text, number)
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
      if (text.length >= SHORTEST_PREFIX && word.startsWith(text)) {
        hits.push({ token, likeness: prefixLikeness(text.length, word.length) })
      } else if (isSkeleton(text, word)) {
        hits.push({ token, likeness: SKELETON })
      }
    }
    return hits
  }

  /** Words within a typing error or two, or that sound the same. */
  similarHits(text: string): Hit[] {
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
  return written > SHORTEST_PREFIX && written * 2 > whole ? PREFIX_LONG : PREFIX_SHORT
}
