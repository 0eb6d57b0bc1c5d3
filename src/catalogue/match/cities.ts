import type { Lexicon } from '../lexicon.ts'
import type { Ciudad, Region } from '../load.ts'
import { align } from './align.ts'
import { choose, DISTINCTIVE, type Explanation, explain, MIN_WEIGHT, similarEnough } from './explain.ts'
import { LIGHT, type NameForm, NameIndex, spellings } from './names.ts'
import type { NameResult } from './phrase.ts'
import { type PlaceWord, type Pointer, type RegionContext, readPlaceWords } from './place.ts'
import { AMBIGUOUS, type Candidate, type Rule } from './result.ts'
import { acronymsOf, bySize, type Weigh } from './towns.ts'
import { compact, words } from './words.ts'

const CERTAIN = 0.9
const BARE_NAME = 0.96 // the name itself, once what surrounds it is taken away
const SIMILAR_KEY = 0.76
const COMMON = 0.45 // the weight below which a word is in too many names to identify one
const CUT_SHORT = 0.8
const MIN_CUT_LENGTH = 6
const MIN_KEY_LENGTH = 4
const MIN_PLACE_LENGTH = 5

/** The cities of one region, found by what people write in a city field. */
export class RegionCities {
  readonly #index: NameIndex<Ciudad>
  readonly #around: RegionContext
  readonly #lexicon: Lexicon
  readonly #acronyms: ReadonlyMap<string, Ciudad>
  readonly #districts: Districts

  constructor(cities: readonly Ciudad[], region: Region, lexicon: Lexicon, weigh: Weigh) {
    this.#lexicon = lexicon
    this.#index = new NameIndex(spellings(cities), (word) => weigh(word) ?? 1)
    this.#acronyms = acronymsOf(cities)
    this.#districts = new Districts(cities)
    const regionKeys = new Set(regionNames(region).map(compact))
    this.#around = {
      isRegion: (key) => regionKeys.has(key),
      pointer: (key) => this.#districts.named(key) ?? this.#placesNamed(key),
      weigh,
    }
  }

  /** From the certain to the merely similar; each step is taken only when the one before was not sure. */
  find(value: string): NameResult<Ciudad> {
    const exact = this.#exactly(compact(value), value)
    if (exact) return { match: exact, candidates: [] }
    const place = readPlaceWords(value, this.#around, this.#lexicon)
    if (this.#isEmpty(place)) return { candidates: [] }

    const core = coreKey(place)
    const found = this.#explanations(place, 'plain')
    const bare = this.#exactly(core)
    if (bare) found.push({ ...bare, score: BARE_NAME, accepted: true, from: 0 })
    const plain = choose(found)
    if (plain && plain.score >= CERTAIN) return { match: plain, candidates: [] }
    if (this.#lexicon.foreign.has(core)) return { candidates: found }
    const several = this.#beginningWith(place)
    if (several.length > 1) return { candidates: several }

    if (!this.#allWordsKnown(place)) found.push(...this.#explanations(place, 'similar'))
    const wordByWord = choose(found)
    if (wordByWord && wordByWord.score >= CERTAIN) return { match: wordByWord, candidates: [] }
    found.push(...this.#similarKeys(place, core), ...this.#shortened(place, core))
    const chosen = choose(found)
    return chosen ? { match: chosen, candidates: [] } : { candidates: found }
  }

  /** The city of exactly that name or alias; the larger of namesakes. */
  #exactly(key: string, written?: string): { entry: Ciudad; rule: Rule; score: number } | undefined {
    const forms = this.#index.exact(key)
    if (forms.length === 0) return undefined
    const named = forms.filter((form) => form.kind === 'name')
    const namesakes = named.length > 1 && written !== undefined ? spelledSo(named, written) : named
    const [largest] = (named.length ? namesakes : forms).map((form) => form.entry).sort(bySize)
    if (!largest) return undefined
    return named.length ? { entry: largest, rule: 'name', score: 1 } : { entry: largest, rule: 'alias', score: 0.97 }
  }

  #explanations(place: readonly PlaceWord[], reach: 'plain' | 'similar'): Explanation[] {
    return align(this.#index, place, reach).map((alignment) => {
      return explain(alignment, place, this.#districts.of(alignment.form.entry))
    })
  }

  /** The cities whose names begin with the one word that was written: "Mar" is Mar del Plata as much as Mar de Ajó. */
  #beginningWith(place: readonly PlaceWord[]): Candidate<Ciudad>[] {
    const [word, another] = place.filter(({ role }) => role === 'plain')
    if (!word || another) return []
    const beginning = [word.text, ...word.expansions].flatMap((text) => [...this.#index.withFirstWord(text)])
    return beginning.map((entry) => ({ entry, score: AMBIGUOUS }))
  }

  #allWordsKnown(place: readonly PlaceWord[]): boolean {
    return place.every((word) => word.role === 'light' || this.#index.vocabulary.has(word.text))
  }

  #isEmpty(place: readonly PlaceWord[]): boolean {
    const significant = place.filter((word) => word.role !== 'noise' && word.role !== 'light' && hasLetter(word))
    if (significant.length === 0) return !place.some(hasLetter)
    return significant.every((word) => this.#lexicon.nonsense.has(word.text))
  }

  #placesNamed(key: string): Pointer | undefined {
    const forms = key.length < MIN_PLACE_LENGTH ? [] : this.#index.exact(key)
    return forms.length ? { near: forms.flatMap((form) => this.#districts.of(form.entry)) } : undefined
  }

  #similarKeys(place: readonly PlaceWord[], core: string): Explanation[] {
    if (core.length < MIN_KEY_LENGTH) return []
    const enough = Math.max(SIMILAR_KEY, similarEnough(place))
    return this.#index.similarKeys(core, tellingLetters(place, core, this.#around.weigh)).map(({ form, likeness }) => {
      return { entry: form.entry, score: likeness, rule: 'similar', accepted: likeness >= enough, from: 0 }
    })
  }

  /** Names cut short by a narrow field ("San Ramón de la") and larger cities by their initials ("SMT"). */
  #shortened(place: readonly PlaceWord[], core: string): Explanation[] {
    const plain = place.filter(({ role }) => role === 'plain')
    const weight = plain.reduce((sum, word) => sum + word.weight, 0)
    const enough = plain.length > 1 ? MIN_WEIGHT : DISTINCTIVE
    const cut = core.length >= MIN_CUT_LENGTH && weight >= enough ? this.#index.startingWith(core) : []
    const acronym = this.#acronyms.get(core)
    return [
      ...cut.map(({ entry }): Explanation => ({ entry, score: CUT_SHORT, rule: 'part', accepted: true, from: 0 })),
      ...(acronym ? [{ entry: acronym, score: CUT_SHORT, rule: 'alias' as const, accepted: true, from: 0 }] : []),
    ]
  }
}

/** Of names that differ in their spaces alone ("Villa Nueva", "Villanueva"), those written just so, if any are. */
function spelledSo(forms: readonly NameForm<Ciudad>[], written: string): readonly NameForm<Ciudad>[] {
  const spelling = words(written)
    .map((word) => word.text)
    .join(' ')
  const so = forms.filter((form) => form.tokens.join(' ') === spelling)
  return so.length ? so : forms
}

function regionNames(region: Region): string[] {
  const [, code = ''] = region.iso.split('-')
  return [region.nombre, region.iso, ...region.aliases, ...(code.length > 1 ? [code] : [])]
}

const hasLetter = (word: PlaceWord): boolean => /\p{L}/u.test(word.text)

function coreKey(place: readonly PlaceWord[]): string {
  let key = ''
  for (const word of place) {
    if (word.role === 'plain' || word.role === 'light') key += word.expansions[0] ?? word.text
  }
  return key
}

/** How many of the letters count: not those of "de", "villa", "puerto". */
function tellingLetters(place: readonly PlaceWord[], core: string, weigh: Weigh): number {
  let letters = core.length
  for (const { role, text } of place) {
    if (role === 'light' || (role === 'plain' && (weigh(text) ?? 1) < COMMON)) letters -= text.length
  }
  return Math.max(letters, 1)
}

/** The districts (partidos, departamentos) of one region: how they are written, and which cities lie in which. */
class Districts {
  readonly #byName = new Map<string, Pointer>()
  readonly #ofCity = new Map<Ciudad, readonly string[]>()

  constructor(cities: readonly Ciudad[]) {
    for (const city of cities) {
      this.#ofCity.set(city, city.departamentos.map(compact))
      for (const departamento of city.departamentos) this.#add(departamento, city)
    }
  }

  named(key: string): Pointer | undefined {
    return this.#byName.get(key)
  }

  of(city: Ciudad): readonly string[] {
    return this.#ofCity.get(city) ?? []
  }

  /** In full, with its first word as an initial, and as its head town is also called. */
  #add(departamento: string, city: Ciudad): void {
    const district = compact(departamento)
    const isHeadTown = compact(city.nombre) === district
    if (this.#byName.has(district) && !isHeadTown) return
    const [first = '', ...rest] = words(departamento).map((word) => word.text)
    const heavy = rest.filter((word) => !LIGHT.has(word))
    const initialled = rest.length ? [rest, heavy].map((tail) => first.charAt(0) + tail.join('')) : []
    const town = isHeadTown ? city.aliases.map(compact) : []
    for (const name of [...initialled, ...town]) if (!this.#byName.has(name)) this.#byName.set(name, { district })
    this.#byName.set(district, { district })
  }
}
