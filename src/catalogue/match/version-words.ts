import { distance } from './distance.ts'
import { editLimit, likenessOf } from './likeness.ts'

/** The written words as a model's versions have them. */
export interface Words {
  readonly all: ReadonlySet<string>
  /** Those that tell one trim from another. */
  readonly heavy: readonly string[]
  /** How many are trims of other models. */
  readonly strange: number
}

/** Engine families and valves say less than the trim: dealers leave them out. */
const LIGHT = new Set('msi tsi sce tce gse etorq e torq thp turbo t 8v 12v 16v'.split(' '))
const COST = { foreign: 0.35, lightForeign: 0.1, missing: 0.12, lightMissing: 0.02, strange: 0.2 } as const
const LIKE = 0.78
const SHORTEST_BEGINNING = 3
const GENERATION = /^i+v?$/ // "Focus III"

export const isHeavy = (word: string): boolean => !LIGHT.has(word)

/** Reads words in a model's vocabulary, mended or completed; `elsewhere` holds the words of all models. */
export function readWords(
  written: readonly string[],
  vocabulary: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
): Words {
  const all = new Set<string>()
  let strange = 0
  for (const word of written) {
    const known = vocabulary.has(word) ? word : (similarTo(word, vocabulary) ?? begunBy(word, vocabulary))
    if (known) all.add(known)
    else if (elsewhere.has(word) && word.length > 1 && !GENERATION.test(word)) strange++
  }
  return { all, heavy: [...all].filter(isHeavy), strange }
}

/** What speaks against a version in the words of its name. */
export function wordCost(words: ReadonlySet<string>, { all, heavy, strange }: Words): number {
  let cost = strange * COST.strange
  for (const word of all) if (!words.has(word)) cost += isHeavy(word) ? COST.foreign : COST.lightForeign
  for (const word of words) {
    if (all.has(word)) continue
    if (!isHeavy(word)) cost += COST.lightMissing
    else if (heavy.length > 0) cost += COST.missing
  }
  return cost
}

function similarTo(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  let best: string | undefined
  let nearest = LIKE
  for (const known of vocabulary) {
    const limit = editLimit(word.length, known.length)
    if (limit === 0 || Math.abs(word.length - known.length) > limit || /\d/.test(known)) continue
    const likeness = likenessOf(distance(known, word, limit), word.length)
    if (likeness > nearest) [best, nearest] = [known, likeness]
  }
  return best
}

/** The only word that begins so: "Comf" is Comfortline. */
function begunBy(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (word.length < SHORTEST_BEGINNING) return undefined
  const begun = [...vocabulary].filter((known) => known.startsWith(word))
  return begun.length === 1 ? begun[0] : undefined
}
