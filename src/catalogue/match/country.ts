import type { Catalogue, Ciudad, Region } from '../load.ts'
import { RegionCities } from './cities.ts'
import { Elsewhere } from './elsewhere.ts'
import { lazy } from './lazy.ts'
import type { Found } from './phrase.ts'
import * as reasons from './reasons.ts'
import { type Candidate, match, none, type Result } from './result.ts'
import { bySize, type Weigh, weighWords } from './towns.ts'

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
    this.#elsewhere = lazy(() => new Elsewhere(catalogue.ciudades, catalogue.lexicon, this.#weigh))
  }

  find(value: string, region: Region): Result<Ciudad, 'city'> {
    const here = this.#citiesOf(region).find(value)
    if (here.match && isFirm(here.match)) return answer(here.match)
    const { certain, wellKnown, all } = this.#elsewhere().find(value, region)
    const others = all.map((entry) => ({ entry, score: ELSEWHERE_SCORE }))
    if (here.match && here.match.rule !== 'similar') {
      // "Rosario" in Córdoba may be its Villa del Rosario, or Rosario and the state is wrong.
      if (!wellKnown || bySize(here.match.entry, wellKnown) < 0) return answer(here.match)
      return none('city', reasons.otherPlace(value, region), apart([...others, here.match]))
    }
    if (certain) return match(certain.entry, certain.rule, ELSEWHERE_SCORE)
    if (here.match && all.length === 0) return answer(here.match)
    const regions = new Set(all.map((city) => city.region)).size
    const reason = [reasons.noCity, reasons.otherPlace][regions] ?? reasons.severalStates
    return none('city', reason(value, region), apart([...others, ...(here.match ? [here.match] : here.candidates)]))
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

type FoundHere = NonNullable<Found<Ciudad>['match']>

function isFirm({ rule, score }: FoundHere): boolean {
  return rule !== 'part' && score >= FIRM
}

const answer = ({ entry, rule, score }: FoundHere) => match(entry, rule, score)

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
