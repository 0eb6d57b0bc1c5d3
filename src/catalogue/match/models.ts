import { getOrInsert, lazy } from '../../memoize.ts'
import type { Lexicon } from '../lexicon.ts'
import type { Catalogue } from '../load.ts'
import type { Carroceria, Marca, Modelo } from '../vehicles.ts'
import { type ModelForm, ModelNames, type Reading } from './model-names.ts'
import type { NameResult } from './phrase.ts'
import { AMBIGUOUS, type Candidate, type Rule } from './result.ts'
import { vehicleWords, withoutSpecifications } from './vehicle-words.ts'

const SCORE_OF: Record<ModelForm['kind'], number> = { name: 1, codename: 1, alias: 0.97 }
const CONTAINED = 0.92
const EXTRA_WORD = 0.02
const MAX_EXTRA = 5
const BEHIND = 0.05
const SISTER = 0.03
const SURE_ENOUGH = 0.74
const SURE_ANYWAY = 0.9 // less is refused to what is the very name of another make's model
const MARGIN = 0.03
const UNUSED_WORD = 0.01
const UNUSED_FIGURE = 0.04
const MIN_DISTINCTIVE_LENGTH = 3

/** Finds the model that a dealer's text means, inside a make. */
export class Models {
  readonly #lexicon: Lexicon
  readonly #names = new Map<Marca, ModelNames>()
  readonly #of: () => ReadonlyMap<Marca, readonly Modelo[]>
  readonly #everywhere: () => ReadonlyMap<string, readonly Modelo[]>
  readonly #makeById: () => ReadonlyMap<number, Marca>

  constructor(catalogue: Catalogue) {
    this.#lexicon = catalogue.lexicon.model
    this.#of = lazy(() => groupBy(catalogue.modelos, ({ marca }) => marca))
    this.#everywhere = lazy(() => groupBy(catalogue.modelos, ({ nombre }) => vehicleWords(nombre).join('')))
    this.#makeById = lazy(() => new Map(catalogue.marcas.map((marca) => [marca.id, marca])))
  }

  find(marca: Marca, text: string, carroceria?: Carroceria): NameResult<Modelo> {
    const names = this.#namesOf(marca)
    const all = vehicleWords(text)
    const whole = names.exactly(all.join(''))
    if (whole) return matched(whole, SCORE_OF[whole.kind])

    const words = withoutSpecifications(all).filter((word) => !this.#lexicon.filler.has(word))
    if (words.every((word) => this.#lexicon.nonsense.has(word))) return { candidates: [] }
    const named = nameAtStart(names, words)
    if (named) return contained(named, words, 0)
    const behind = nameAfterOthers(names, words)
    const similar = this.#similar(names, words, carroceria, behind ? behind.to - behind.from : 0)
    if (similar?.match) return similar
    if (behind) return contained(behind, words, BEHIND)
    return this.#sister(marca, words) ?? similar ?? { candidates: this.#elsewhere(words) }
  }

  /** A model of a make that shares its names with this one: a Haval under GWM. */
  #sister(marca: Marca, words: readonly string[]): NameResult<Modelo> | undefined {
    for (const id of marca.afines) {
      const sister = this.#makeById().get(id)
      const names = sister && this.#namesOf(sister)
      const reading = names && (nameAtStart(names, words) ?? nameAfterOthers(names, words))
      if (reading && (reading.from > 0 || isDistinctive(reading.form) || isWholeName(reading, words))) {
        return contained(reading, words, SISTER)
      }
    }
    return undefined
  }

  #namesOf(marca: Marca): ModelNames {
    return getOrInsert(this.#names, marca, () => new ModelNames(marca, this.#of().get(marca) ?? []))
  }

  /** Names that are like what was written; only those that take more words than a name found behind others does. */
  #similar(
    names: ModelNames,
    words: readonly string[],
    carroceria: Carroceria | undefined,
    beyond: number,
  ): NameResult<Modelo> | undefined {
    const afterMake = names.makeWords(words)
    const modelWords = afterMake < words.length ? words.slice(afterMake) : words
    const [first = '', second] = modelWords
    const several = second === undefined ? names.withFirstWord(first) : []
    if (several.length > 1) return { candidates: several.map((entry) => ({ entry, score: AMBIGUOUS })) }
    const candidates = names.similar(modelWords).flatMap(({ entry, score, used }) => {
      return used > beyond ? [{ entry, score: score - costOf(modelWords.slice(used)) }] : []
    })
    const best = clearly(candidates, carroceria)
    const taken = best && best.score < SURE_ANYWAY && this.#elsewhere(modelWords).length > 0
    if (best && !taken) return { match: { ...best, rule: 'similar' }, candidates: [] }
    return candidates.length ? { candidates: [...candidates, ...this.#elsewhere(words)] } : undefined
  }

  /** Models of that very name by other makes: nothing is taken from there, but a wrong make is seen at once. */
  #elsewhere(words: readonly string[]): Candidate<Modelo>[] {
    const found = this.#everywhere().get(words.join('')) ?? this.#everywhere().get(words[0] ?? '') ?? []
    return found.map((entry) => ({ entry, score: AMBIGUOUS }))
  }
}

/** A name at the beginning, or after the make, whichever accounts for more. */
function nameAtStart(names: ModelNames, words: readonly string[]): Reading | undefined {
  const afterMake = names.makeWords(words)
  const plain = names.readingAt(words, 0)
  const bare = afterMake > 0 ? names.readingAt(words, afterMake) : undefined
  return bare && bare.to > (plain?.to ?? 0) ? bare : plain
}

/** A name behind other words, if it is a distinctive one. */
function nameAfterOthers(names: ModelNames, words: readonly string[]): Reading | undefined {
  for (let from = 1; from < words.length; from++) {
    const reading = names.readingAt(words, from)
    if (reading && isDistinctive(reading.form)) return reading
  }
  return undefined
}

/** Words that a similar name leaves unused; a figure is more likely a part of another name. */
function costOf(unused: readonly string[]): number {
  const figure = /^\d+$/.test(unused[0] ?? '') ? UNUSED_FIGURE : 0
  return figure + Math.min(unused.length, MAX_EXTRA) * UNUSED_WORD
}

function matched(form: ModelForm, score: number): NameResult<Modelo> {
  return { match: { entry: form.modelo, rule: form.kind satisfies Rule, score }, candidates: [] }
}

function contained({ form, from, to }: Reading, words: readonly string[], less: number): NameResult<Modelo> {
  const extra = words.length - (to - from)
  if (extra === 0) return matched(form, SCORE_OF[form.kind])
  return matched(form, CONTAINED - less - Math.min(extra, MAX_EXTRA) * EXTRA_WORD)
}

/** The best, if it is good enough and no other comes near; of those that do, the one with the body style given. */
function clearly<C extends Candidate<Modelo>>(candidates: readonly C[], carroceria?: Carroceria): C | undefined {
  let best: C | undefined
  for (const candidate of candidates) if (!best || candidate.score > best.score) best = candidate
  if (!best || best.score < SURE_ENOUGH) return undefined
  const { score } = best
  const near = candidates.filter((other) => score - other.score < MARGIN)
  if (near.every(({ entry }) => entry === best.entry)) return best
  const fitting = carroceria ? near.filter(({ entry }) => entry.carrocerias.includes(carroceria)) : []
  return new Set(fitting.map(({ entry }) => entry)).size === 1 ? fitting[0] : undefined
}

/** Whether a name among other words is hardly anything else: "SW4" and "Gol" are, "up", "86" and "SC" are not. */
const isDistinctive = ({ key }: ModelForm): boolean => key.length >= MIN_DISTINCTIVE_LENGTH && /\p{L}/u.test(key)

const isWholeName = ({ form, to }: Reading, words: readonly string[]): boolean =>
  to === words.length && form.kind === 'name' && /\p{L}/u.test(form.key)

function groupBy<K>(modelos: readonly Modelo[], keyOf: (modelo: Modelo) => K): ReadonlyMap<K, readonly Modelo[]> {
  const groups = new Map<K, Modelo[]>()
  for (const modelo of modelos) getOrInsert(groups, keyOf(modelo), () => []).push(modelo)
  return groups
}
