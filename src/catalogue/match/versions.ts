import { getOrInsert } from '../../memoize.ts'
import type { Modelo, Version } from '../vehicles.ts'
import { distance } from './distance.ts'
import { editLimit, likenessOf } from './likeness.ts'
import { AMBIGUOUS, type Candidate, MAX_CANDIDATES, type Match, match, ranked } from './result.ts'
import { readTrim } from './technical.ts'
import { vehicleWords } from './vehicle-words.ts'
import { type Criteria, factCost, factsVerified, readCriteria } from './version-facts.ts'

export interface VersionFound {
  readonly match: Match<Version> | null
  /** The best first; the match is among them. */
  readonly candidates: readonly Candidate<Version>[]
}

/** What there is to say of a model without versions. */
export const NO_VERSION: VersionFound = { match: null, candidates: [] }
const SURE_ENOUGH = 0.7
const MARGIN = 0.05
/** Without a word of the trim, what each technical fact adds to a mere guess, and how sure they can make it. */
const PER_FACT = 0.11
const MAX_TECHNICAL = 0.95

/** Finds the version that a trim, technical data or both mean, inside a model. */
export class Versions {
  readonly #groups = new Map<Modelo, Group>()
  readonly #everywhere = new Set<string>()

  constructor(versiones: readonly Version[]) {
    const byModel = new Map<Modelo, Version[]>()
    for (const version of versiones) getOrInsert(byModel, version.modelo, () => []).push(version)
    for (const [modelo, versions] of byModel) {
      const group = groupOf(versions)
      this.#groups.set(modelo, group)
      for (const word of group.vocabulary) if (isHeavy(word)) this.#everywhere.add(word)
    }
  }

  has(modelo: Modelo): boolean {
    return this.#groups.has(modelo)
  }

  find(modelo: Modelo, criteria: Criteria): VersionFound {
    const group = this.#groups.get(modelo)
    if (!group) return NO_VERSION
    const parsed = readCriteria(criteria, group.powers)
    const words = readWords(parsed.trim.words, group.vocabulary, this.#everywhere)
    const possible = group.versions.flatMap((known) => {
      const { version, trim } = known
      const facts = factCost(version, trim, parsed)
      if (facts === undefined) return []
      const guess = Math.min(MAX_TECHNICAL, AMBIGUOUS + factsVerified(version, trim, parsed) * PER_FACT)
      const cost = wordCost(known.words, words)
      return [{ entry: version, score: (words.heavy.length ? 1 : guess) - facts - cost, known, wordCost: cost }]
    })
    const candidates = ranked(possible.filter(({ score }) => score > 0))
    const named = group.byName.get(keyOf(criteria.trim ?? ''))
    if (named && possible.some(({ known }) => known === named)) {
      return {
        match: match({ entry: named.version, rule: 'name', score: 1 }),
        candidates: withFirst(named.version, candidates),
      }
    }
    const [best, second] = possible.sort((a, b) => b.score - a.score)
    if (!best || best.score < SURE_ENOUGH || (second && best.score - second.score < MARGIN)) {
      return { match: null, candidates }
    }
    const rule = words.heavy.length === 0 ? 'technical' : best.wordCost === 0 ? 'name' : 'part'
    return { match: match({ ...best, rule }), candidates }
  }
}

type Group = ReturnType<typeof groupOf>

function groupOf(versions: readonly Version[]) {
  const readings = versions.map((version) => ({ version, trim: readTrim(version.nombre) }))
  const anyFourByFour = readings.some(({ trim }) => trim.traction === '4x4')
  const known = readings.map(({ version, trim }) => {
    // Where some versions say that they are 4x4, those that say nothing are not.
    const traction = trim.traction ?? (anyFourByFour ? '4x2' : undefined)
    return { version, trim: { ...trim, traction }, words: new Set(trim.words) }
  })
  return {
    versions: known,
    byName: new Map(known.map((one) => [keyOf(one.version.nombre), one])),
    vocabulary: new Set(known.flatMap(({ trim }) => trim.words)),
    powers: new Set(versions.flatMap(({ potencia }) => potencia ?? [])),
  }
}

const keyOf = (name: string): string => vehicleWords(name).join('')

/** The one that bears the very name before those that come near. */
const withFirst = (version: Version, others: readonly Candidate<Version>[]): Candidate<Version>[] =>
  [{ entry: version, score: 1 }, ...others.filter(({ entry }) => entry !== version)].slice(0, MAX_CANDIDATES)

/** Engine families and valves say less than the trim: dealers leave them out. */
const LIGHT = new Set('msi tsi sce tce gse etorq e torq thp turbo t 8v 12v 16v'.split(' '))
const COST = { foreign: 0.35, lightForeign: 0.1, missing: 0.12, lightMissing: 0.02, strange: 0.2 } as const
const LIKE = 0.78
const MIN_BEGINNING_LENGTH = 3
const GENERATION = /^i+v?$/ // "Focus III"

const isHeavy = (word: string): boolean => !LIGHT.has(word)

/** Reads words in a model's vocabulary, fixed or completed; `elsewhere` holds the words of all models. */
function readWords(written: readonly string[], vocabulary: ReadonlySet<string>, elsewhere: ReadonlySet<string>) {
  const all = new Set<string>()
  let strange = 0 // how many are trims of other models
  for (const word of written) {
    const known = vocabulary.has(word) ? word : (similarTo(word, vocabulary) ?? begunBy(word, vocabulary))
    if (known) all.add(known)
    else if (elsewhere.has(word) && word.length > 1 && !GENERATION.test(word)) strange++
  }
  return { all, heavy: [...all].filter(isHeavy), strange }
}

/** What speaks against a version in the words of its name. */
function wordCost(words: ReadonlySet<string>, { all, heavy, strange }: ReturnType<typeof readWords>): number {
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
  if (word.length < MIN_BEGINNING_LENGTH) return undefined
  const begun = [...vocabulary].filter((known) => known.startsWith(word))
  return begun.length === 1 ? begun[0] : undefined
}
