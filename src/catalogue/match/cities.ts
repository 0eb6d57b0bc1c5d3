import type { Lexicon } from '../lexicon.ts'
import type { Ciudad, Region } from '../load.ts'
import { type Alignment, align } from './align.ts'
import { LIGHT, NameIndex, type Spelling } from './names.ts'
import type { Found } from './phrase.ts'
import { NOWHERE, type PlaceWord, type Pointer, readPlace, type Surroundings } from './place.ts'
import type { Candidate, Rule } from './result.ts'
import { compact, words } from './words.ts'

interface Scored extends Candidate<Ciudad> {
  readonly rule: Rule
  readonly accepted: boolean
  /** Where in the value its name begins: of two places named, the first is the nearer one. */
  readonly from: number
}

const CERTAIN = 0.9
const ALIAS_SCORE = 0.96
const HOLDS_ENOUGH = 0.6 // of the value, when the whole name is in it
const PART_ENOUGH = 0.3 // of the name, when the whole value is in it
const TELLING = 0.45 // weight that must be found at all: "Villa" alone names nothing
const SIMILAR_ENOUGH = 0.68
const SIMILAR_WORD = 0.8 // when one word is all there is
const SIMILAR_KEY = 0.76
const NEAR = 0.04
const PART_NEAR = 0.2
const CUT_SHORT = 0.8
const SHORTEST_CUT = 6
const SHORTEST_ACRONYM = 3
const ACRONYM_POPULATION = 20_000
const UNKNOWN_WEIGHT = 1
const LETTER_WEIGHT = 0.25
const DIGITS_WEIGHT = 0.3
const LIGHT_WEIGHT = 0.05
const SAME_DISTRICT = 0.2
const OTHER_DISTRICT = 0.35
const COMMON = 0.45 // the weight below which a word is in too many names to tell one
const QUARTER = 0.92
const LATE = 0.75
const SHORTEST_PLACE = 5

/** The cities of one region, found by what people write in a city field. */
export class RegionCities {
  readonly #index: NameIndex<Ciudad>
  readonly #around: Surroundings
  readonly #lexicon: Lexicon
  readonly #weigh: (word: string) => number | undefined
  readonly #acronyms: ReadonlyMap<string, Ciudad>
  readonly #districtKeys = new Map<Ciudad, readonly string[]>()
  readonly #districts: ReadonlyMap<string, Pointer>

  constructor(cities: readonly Ciudad[], region: Region, lexicon: Lexicon, weigh: Weigh) {
    this.#lexicon = lexicon
    this.#weigh = weigh
    this.#index = new NameIndex(spellingsOf(cities), (word) => weigh(word) ?? UNKNOWN_WEIGHT)
    this.#acronyms = acronymsOf(cities)
    this.#districts = districtNames(cities)
    const regionKeys = new Set(regionNames(region).map(compact))
    this.#around = {
      isRegion: (key) => regionKeys.has(key),
      pointer: (key) => this.#districts.get(key) ?? this.#placesNamed(key),
    }
  }

  find(value: string): Found<Ciudad> {
    const exact = this.exactly(compact(value))
    if (exact) return { match: exact, candidates: [] }
    const place = readPlace(value, this.#around, this.#lexicon)
    if (this.#saysNothing(place)) return { candidates: [] }

    const core = coreKey(place)
    const bare = this.exactly(core)
    const plain = this.#score(place, 'plain')
    if (bare) plain.push({ entry: bare.entry, score: ALIAS_SCORE, rule: 'alias', accepted: true, from: 0 })
    const sure = choose(plain)
    if (sure && sure.score >= CERTAIN) return { match: sure, candidates: [] }
    if (this.#isAbroad(core)) return { candidates: plain }
    const wordByWord = [...plain, ...this.#score(place, 'similar')]
    const nearly = choose(wordByWord)
    if (nearly && nearly.score >= CERTAIN) return { match: nearly, candidates: [] }
    const all = [...wordByWord, ...this.#similarKeys(place, core), ...this.#special(core)]
    const chosen = choose(all)
    return chosen ? { match: chosen, candidates: [] } : { candidates: all }
  }

  /** The city of exactly that name or alias; the larger of namesakes. */
  exactly(key: string): { entry: Ciudad; rule: Rule; score: number } | undefined {
    const forms = this.#index.exact(key)
    const named = forms.filter((form) => form.kind === 'name')
    const [largest] = (named.length ? named : forms).map((form) => form.entry).sort(bySize)
    if (!largest) return undefined
    return named.length ? { entry: largest, rule: 'name', score: 1 } : { entry: largest, rule: 'alias', score: 0.97 }
  }

  #saysNothing(place: readonly PlaceWord[]): boolean {
    const nonsense = this.#lexicon.noise.get('place')?.get('nonsense')
    const telling = place.filter((word) => word.role !== 'noise' && word.role !== 'light' && /\p{L}/u.test(word.text))
    if (telling.length === 0) return !place.some((word) => /\p{L}/u.test(word.text))
    return telling.every((word) => nonsense?.has(word.text))
  }

  #isAbroad(key: string): boolean {
    return this.#lexicon.noise.get('place')?.get('foreign')?.has(key) ?? false
  }

  #districtsOf(city: Ciudad): readonly string[] {
    const known = this.#districtKeys.get(city)
    if (known) return known
    const keys = city.departamentos.map(compact)
    this.#districtKeys.set(city, keys)
    return keys
  }

  #placesNamed(key: string): Pointer | undefined {
    const forms = key.length < SHORTEST_PLACE ? [] : this.#index.exact(key)
    return forms.length ? { near: forms.flatMap((form) => this.#districtsOf(form.entry)) } : undefined
  }

  #score(place: readonly PlaceWord[], reach: 'plain' | 'similar'): Scored[] {
    return align(this.#index, place, reach).map((alignment) => this.#scored(alignment, place))
  }

  #scored(alignment: Alignment<Ciudad>, place: readonly PlaceWord[]): Scored {
    const { form, coverage, found, firm, exact, initials, used } = alignment
    const from = Math.min(...used)
    let [unexplained, confirmed, quarter, telling, late] = [0, false, false, false, false]
    const districts = this.#districtsOf(form.entry)
    place.forEach((word, at) => {
      if (used.includes(at)) {
        quarter ||= word.role === 'free'
        telling ||= word.role === 'plain'
        return
      }
      const burden = this.#burden(word, districts)
      unexplained += burden
      late ||= at < from && burden > LIGHT_WEIGHT && word.points !== NOWHERE
      confirmed ||= word.points.district !== undefined && districts.includes(word.points.district)
    })
    const explained = found / (found + unexplained)
    let score = coverage * explained
    // A name that stands only after "barrio" is more likely a quarter of the city named beside it.
    if (quarter && !telling && !confirmed) score *= QUARTER
    // People write the smaller place first: a name after that of another place is rather where that one lies.
    if (late) score *= LATE
    const whole = coverage > 0.95 && exact
    const part = exact && !initials && explained > 0.97 && (telling || quarter)
    const accepted =
      firm >= TELLING &&
      ((whole && explained >= HOLDS_ENOUGH) || (part && coverage >= PART_ENOUGH) || score >= similarEnough(place))
    const rule: Rule = whole ? 'alias' : part ? 'part' : exact || initials ? 'alias' : 'similar'
    return { entry: form.entry, score, rule, accepted, from }
  }

  /** How much a word that the city does not explain speaks against it. */
  #burden(word: PlaceWord, districts: readonly string[]): number {
    if (word.role === 'noise' || word.role === 'free') return 0
    const { district, near } = word.points
    if (district !== undefined && districts.includes(district)) return 0
    if (word.role === 'light') return LIGHT_WEIGHT
    const weight = /^[0-9]+$/.test(word.text)
      ? DIGITS_WEIGHT
      : word.text.length === 1
        ? LETTER_WEIGHT
        : (this.#weigh(word.text) ?? UNKNOWN_WEIGHT)
    if (word.points === NOWHERE) return weight
    return weight * (near?.some((name) => districts.includes(name)) ? SAME_DISTRICT : OTHER_DISTRICT)
  }

  #similarKeys(place: readonly PlaceWord[], core: string): Scored[] {
    if (core.length <= 3) return []
    const empty = place.filter((word) => word.role === 'light' || (this.#weigh(word.text) ?? 1) < COMMON)
    const letters = empty.reduce((sum, word) => sum + (word.role === 'noise' ? 0 : word.text.length), 0)
    return this.#index.similarKeys(core, Math.max(core.length - letters, 1)).map(({ form, likeness }) => ({
      entry: form.entry,
      score: likeness,
      rule: 'similar',
      accepted: likeness >= Math.max(SIMILAR_KEY, similarEnough(place)),
      from: 0,
    }))
  }

  /** Names cut short by a narrow field ("San Ramón de la") and acronyms of larger cities ("SMT"). */
  #special(core: string): Scored[] {
    const found: Scored[] = []
    if (core.length >= SHORTEST_CUT) {
      for (const { entry } of this.#index.startingWith(core)) {
        found.push({ entry, score: CUT_SHORT, rule: 'part', accepted: true, from: 0 })
      }
    }
    const acronym = core.length >= SHORTEST_ACRONYM ? this.#acronyms.get(core) : undefined
    if (acronym) found.push({ entry: acronym, score: CUT_SHORT, rule: 'alias', accepted: true, from: 0 })
    return found
  }
}

/** The best accepted; among equally good ones the earlier in the value, then the larger. */
function choose(scored: readonly Scored[]): Scored | undefined {
  let best: Scored | undefined
  for (const candidate of scored) {
    if (candidate.accepted && (!best || better(candidate, best))) best = candidate
  }
  return best
}

export type Weigh = (word: string) => number | undefined

/** How much each word of the country's names tells: rare words all, "villa" and "san" little. */
export function weighWords(cities: readonly Ciudad[]): Weigh {
  const count = new Map<string, number>()
  for (const city of cities) {
    for (const { text } of words(city.nombre)) count.set(text, (count.get(text) ?? 0) + 1)
  }
  const most = Math.log(cities.length + 1)
  return (word) => {
    const times = count.get(word)
    return times === undefined ? undefined : Math.max(0.2, 1 - Math.log(times) / most)
  }
}

export function* spellingsOf(cities: Iterable<Ciudad>): Generator<Spelling<Ciudad>> {
  for (const city of cities) {
    yield { entry: city, kind: 'name', text: city.nombre }
    for (const text of city.aliases) yield { entry: city, kind: 'alias', text }
  }
}

export function bySize(a: Ciudad, b: Ciudad): number {
  return (b.poblacion ?? 0) - (a.poblacion ?? 0) || a.id - b.id
}

function similarEnough(place: readonly PlaceWord[]): number {
  const telling = place.filter((word) => word.role === 'plain' || word.role === 'free')
  return telling.length === 1 ? SIMILAR_WORD : SIMILAR_ENOUGH
}

function coreKey(place: readonly PlaceWord[]): string {
  const core = place.filter((word) => word.role === 'plain' || word.role === 'light')
  return core.map((word) => word.expansions[0] ?? word.text).join('')
}

function better(a: Scored, b: Scored): boolean {
  const near = a.rule === 'part' && b.rule === 'part' ? PART_NEAR : NEAR
  if (Math.abs(a.score - b.score) > near) return a.score > b.score
  if ((a.rule === 'similar') !== (b.rule === 'similar')) return b.rule === 'similar'
  if (a.from !== b.from) return a.from < b.from
  const size = bySize(a.entry, b.entry)
  return a.entry === b.entry ? a.score > b.score : size < 0
}

function regionNames(region: Region): string[] {
  const [, code = ''] = region.iso.split('-')
  return [region.nombre, region.iso, ...region.aliases, ...(code.length > 1 ? [code] : [])]
}

/** Every way a district is written: in full, as its head town is also called, and with its first word as an initial. */
function districtNames(cities: readonly Ciudad[]): Map<string, Pointer> {
  const names = new Map<string, Pointer>()
  for (const { nombre, departamentos, aliases } of cities) {
    for (const departamento of departamentos) {
      const district = compact(departamento)
      const [first = '', ...rest] = words(departamento).map((word) => word.text)
      const heavy = rest.filter((word) => !LIGHT.has(word))
      const initialled = rest.length ? [rest, heavy].map((tail) => first.charAt(0) + tail.join('')) : []
      const town = compact(nombre) === district ? aliases.map(compact) : []
      for (const name of [...initialled, ...town]) if (!names.has(name)) names.set(name, { district })
      names.set(district, { district })
    }
  }
  return names
}

function acronymsOf(cities: readonly Ciudad[]): Map<string, Ciudad> {
  const acronyms = new Map<string, Ciudad>()
  for (const city of [...cities].sort(bySize)) {
    if ((city.poblacion ?? 0) < ACRONYM_POPULATION) break
    const heavy = words(city.nombre).filter((word) => word.text.length > 3 || word.text === 'san')
    const acronym = heavy.map((word) => word.text[0]).join('')
    if (acronym.length >= SHORTEST_ACRONYM && !acronyms.has(acronym)) acronyms.set(acronym, city)
  }
  return acronyms
}
