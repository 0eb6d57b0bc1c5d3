import { getOrInsert, lazy } from '../../memoize.ts'
import type { Lexicon } from '../lexicon.ts'
import type { Catalogue, Ciudad, Region } from '../load.ts'
import { RegionCities } from './cities.ts'
import { LIGHT, spellings } from './names.ts'
import * as reasons from './reasons.ts'
import { type Candidate, match, none, type Result } from './result.ts'
import { bySize, type Weigh, weighWords } from './towns.ts'
import { compact, words } from './words.ts'

/** An in-state answer below this gives way to a city of exactly that name in one other state. */
const FIRM = 0.85
const ELSEWHERE_SCORE = 0.8

/** A city that is certain, though not in the state that was given. */
export const inOtherState = (entry: Ciudad) => match({ entry, rule: 'other-state', score: ELSEWHERE_SCORE })

/** The cities of the country: those of the given state first, then the rest. */
export class CountryCities {
  readonly #catalogue: Catalogue
  readonly #weigh: Weigh
  readonly #byRegion = new Map<Region, RegionCities>()
  readonly #elsewhere: () => Elsewhere

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.#weigh = weighWords(catalogue.ciudades)
    this.#elsewhere = lazy(() => new Elsewhere(catalogue.ciudades, catalogue.lexicon.place, this.#weigh))
  }

  find(value: string, region: Region): Result<Ciudad, 'city'> {
    const local = this.#citiesOf(region).find(value)
    const isFirm = local.match !== undefined && local.match.rule !== 'part' && local.match.score >= FIRM
    if (isFirm && local.match?.rule !== 'similar') return match(local.match)
    const { certain, wellKnown, all } = this.#elsewhere().find(value, region)
    // "La Plata" in Córdoba is that city and the wrong state, not a slip for its La Playa.
    if (isFirm && (!wellKnown || bySize(local.match.entry, wellKnown) < 0)) return match(local.match)
    const others = all.map((entry) => ({ entry, score: ELSEWHERE_SCORE }))
    if (local.match && local.match.rule !== 'similar') {
      // "Rosario" in Córdoba may be its Villa del Rosario, or Rosario and the state is wrong.
      if (!wellKnown || bySize(local.match.entry, wellKnown) < 0) return match(local.match)
      const candidates = apart([...others, local.match])
      return none('city', reasons.otherPlace(value, region, candidates), candidates)
    }
    if (certain) return inOtherState(certain)
    if (local.match && all.length === 0) return match(local.match)
    const regions = new Set(all.map((city) => city.region)).size
    const reason = [reasons.noCity, reasons.otherPlace][regions] ?? reasons.severalStates
    const candidates = apart([...others, ...(local.match ? [local.match] : local.candidates)])
    return none('city', reason(value, region, candidates), candidates)
  }

  #citiesOf(region: Region): RegionCities {
    return getOrInsert(this.#byRegion, region, () => {
      const cities = this.#catalogue.ciudades.filter((city) => city.region === region)
      return new RegionCities(cities, region, this.#catalogue.lexicon.place, this.#weigh)
    })
  }
}

/** The larger first among equals; of namesakes in one region the largest alone, for their titles are the same. */
function apart(candidates: readonly Candidate<Ciudad>[]): Candidate<Ciudad>[] {
  const byTitle = new Map<string, { entry: Ciudad; score: number }>()
  for (const { entry, score } of [...candidates].sort((a, b) => bySize(a.entry, b.entry))) {
    const title = `${entry.nombre}\t${entry.region.id}`
    const known = byTitle.get(title)
    if (known) known.score = Math.max(known.score, score)
    else byTitle.set(title, { entry, score })
  }
  return [...byTitle.values()]
}

const MIN_NAME_LENGTH = 4
const LARGE = 100_000 // inhabitants; Colombia's own Bogotá is not a city abroad
const WELL_KNOWN = 20_000 // inhabitants from which a city is meant by its name in other states too
const DISTINCTIVE = 0.52 // the weight of a word that identifies a name in the whole country

/** A city with a name, its own or an alias. */
type NamedCity = { readonly city: Ciudad; readonly name: boolean }

/** Cities of the whole country by exact name or alias: for a city that was given under the wrong state. */
class Elsewhere {
  readonly #named = new Map<string, NamedCity[]>()
  readonly #foreign: ReadonlySet<string>
  readonly #isDistinctive: (word: string) => boolean

  constructor(cities: readonly Ciudad[], { foreign, filler, numbers }: Lexicon, weigh: Weigh) {
    this.#foreign = foreign
    const isVague = (word: string) => LIGHT.has(word) || filler.has(word) || numbers.has(word)
    this.#isDistinctive = (word) => !isVague(word) && (weigh(word) ?? 1) >= DISTINCTIVE
    for (const { entry, kind, text } of spellings(cities)) {
      getOrInsert(this.#named, compact(text), () => []).push({ city: entry, name: kind === 'name' })
    }
  }

  /** The cities of that very name outside a region, those it properly belongs to first, then the larger. */
  find(value: string, region: Region) {
    const key = compact(value)
    const namedCities = (key.length < MIN_NAME_LENGTH ? [] : (this.#named.get(key) ?? []))
      .filter(({ city }) => city.region !== region)
      .sort((a, b) => Number(b.name) - Number(a.name) || bySize(a.city, b.city))
    const [first] = namedCities
    if (!first || !words(value).some(({ text }) => this.#isDistinctive(text))) return { all: [] as Ciudad[] }
    const { city, name } = first
    const abroad = this.#foreign.has(key) && (city.poblacion ?? 0) < LARGE
    const isCertain = !abroad && isUnique(namedCities) && (name || isItsCapital(city, region))
    return {
      all: namedCities.map((each) => each.city),
      /** The largest well-known city of that very name; what is only a part of a smaller one's name may mean this. */
      wellKnown: name && (city.poblacion ?? 0) >= WELL_KNOWN ? city : undefined,
      certain: isCertain ? city : undefined,
    }
  }
}

/** Across states a tie is refused: one region alone, or one name against mere aliases of smaller places. */
function isUnique(namedCities: readonly NamedCity[]): boolean {
  const [first] = namedCities
  return namedCities.every(({ city, name }) => {
    return city.region === first?.city.region || (first?.name && !name && bySize(first.city, city) < 0)
  })
}

/**
 * Whether a city is a region of its own that is called after the given one: the Ciudad Autónoma de Buenos Aires is
 * written under Buenos Aires by all its aliases. No other alias carries a city into another state.
 */
function isItsCapital(city: Ciudad, region: Region): boolean {
  return city.nombre === city.region.nombre && compact(city.nombre).endsWith(compact(region.nombre))
}
