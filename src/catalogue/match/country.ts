import type { Catalogue, Ciudad, Region } from '../load.ts'
import { RegionCities } from './cities.ts'
import { Elsewhere } from './elsewhere.ts'
import { lazy } from './lazy.ts'
import * as reasons from './reasons.ts'
import { match, none, type Result } from './result.ts'
import { type Weigh, weighWords } from './towns.ts'

/** An in-state answer below this gives way to a city of exactly that name in one other state. */
const FIRM = 0.85
const ELSEWHERE_SCORE = 0.8

/** The cities of the country: those of the given state first, then the rest. */
export class CountryCities {
  readonly #catalogue: Catalogue
  readonly #weigh: Weigh
  readonly #byRegion = new Map<Region, RegionCities>()
  readonly #elsewhere: () => Elsewhere

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.#weigh = weighWords(catalogue.ciudades)
    this.#elsewhere = lazy(() => new Elsewhere(catalogue.ciudades, catalogue.lexicon))
  }

  find(value: string, region: Region): Result<Ciudad, 'city'> {
    const here = this.#citiesOf(region).find(value)
    if (here.match && (here.match.rule !== 'similar' || here.match.score >= FIRM)) {
      return match(here.match.entry, here.match.rule, here.match.score)
    }
    const elsewhere = this.#elsewhere().find(value, region)
    if (elsewhere.certain) return match(elsewhere.certain.entry, elsewhere.certain.rule, ELSEWHERE_SCORE)
    if (here.match) return match(here.match.entry, here.match.rule, here.match.score)
    const others = elsewhere.all.map((entry) => ({ entry, score: ELSEWHERE_SCORE }))
    const reason = others.length ? reasons.severalStates(value, region) : reasons.noCity(value, region)
    return none<Ciudad, 'city'>('city', reason, [...others, ...here.candidates])
  }

  #citiesOf(region: Region): RegionCities {
    const known = this.#byRegion.get(region)
    if (known) return known
    const cities = this.#catalogue.ciudades.filter((city) => city.region === region)
    const made = new RegionCities(cities, region, this.#catalogue.lexicon, this.#weigh)
    this.#byRegion.set(region, made)
    return made
  }
}
