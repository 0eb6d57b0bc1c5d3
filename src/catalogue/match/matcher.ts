import type { Kind } from '../lexicon.ts'
import type { Carroceria, Catalogue, Ciudad, Color, Marca, Region } from '../load.ts'
import { RegionCities } from './cities.ts'
import { Elsewhere } from './elsewhere.ts'
import { mend } from './mend.ts'
import type { FormKind, Spelling } from './names.ts'
import { type Found, Phrases } from './phrase.ts'
import * as reasons from './reasons.ts'
import { readReference } from './reference.ts'
import { type Match, match, type NoMatch, none, type Result } from './result.ts'
import { type Weigh, weighWords } from './towns.ts'

export type CityResult = Match<Ciudad> | NoMatch<Ciudad, 'city'> | NoMatch<Region, 'state'>

/** Maps a partner's own values to our records; every answer is right, or an honest refusal. */
export interface Matcher {
  region(state: string): Result<Region, 'state'>
  city(query: { readonly state: string; readonly city: string }): CityResult
  make(value: string): Result<Marca, 'make'>
  bodystyle(value: string): Result<Carroceria, 'bodystyle'>
  colour(value: string): Result<Color, 'color'>
}

interface Entry {
  readonly id: number
  readonly nombre: string
}

/** Builds nothing yet: each index is made by the first question that needs it, and kept. */
export function createMatcher(catalogue: Catalogue, { publicUrl }: { readonly publicUrl: string }): Matcher {
  const { lexicon } = catalogue
  const region = named('state', 'regiones', catalogue.regiones, publicUrl, () => {
    return new Phrases(spellings(catalogue.regiones), 'place', lexicon, 'whole')
  })
  const phrases = <E extends Spelled, P extends string>(
    parameter: P,
    resource: string,
    entries: readonly E[],
    kind: Kind,
  ) => named(parameter, resource, entries, publicUrl, () => new Phrases(spellings(entries), kind, lexicon, 'contained'))
  return {
    region,
    city: cityMatcher(catalogue, publicUrl, region),
    make: phrases('make', 'marcas', catalogue.marcas, 'make'),
    bodystyle: phrases('bodystyle', 'carrocerias', catalogue.carrocerias, 'bodystyle'),
    colour: phrases('color', 'colores', catalogue.colores, 'colour'),
  }
}

/** A matcher of one catalogue: by address first, then by what was written. */
function named<E extends Entry, P extends string>(
  parameter: P,
  resource: string,
  entries: readonly E[],
  publicUrl: string,
  build: () => { find(value: string): Found<E> },
): (value: string) => Result<E, P> {
  const byId = lazy(() => new Map(entries.map((entry) => [entry.id, entry])))
  const names = lazy(build)
  return (value) => {
    const text = mend(value).trim()
    if (!text) return none(parameter, reasons.empty(parameter))
    const reference = readReference(text, resource, publicUrl)
    if (reference?.rule === 'foreign') return none(parameter, reasons.address(text, resource, reference.why))
    if (reference) {
      const entry = byId().get(reference.id)
      return entry ? match(entry, reference.rule, 1) : none(parameter, reasons.unknownId(reference.id, resource))
    }
    const found = names().find(text)
    if (found.match) return match(found.match.entry, found.match.rule, found.match.score)
    return none(parameter, reasons.unknown(text, resource), found.candidates)
  }
}

function cityMatcher(catalogue: Catalogue, publicUrl: string, region: (state: string) => Result<Region, 'state'>) {
  const cities = lazy(() => new CitiesByRegion(catalogue))
  const reference = named('city', 'ciudades', catalogue.ciudades, publicUrl, () => NOTHING)
  return (query: { readonly state: string; readonly city: string }): CityResult => {
    const state = region(query.state)
    if (state.kind === 'none') return state
    const text = mend(query.city).trim()
    if (!text) return none<Ciudad, 'city'>('city', reasons.empty('city'))
    if (readReference(text, 'ciudades', publicUrl)) {
      const found = reference(text)
      if (found.kind === 'none' || found.entry.region === state.entry) return found
      return none('city', reasons.otherState(found.entry, state.entry), [found])
    }
    return cities().find(text, state.entry)
  }
}

const NOTHING = { find: (): Found<Ciudad> => ({ candidates: [] }) }

/** An in-state answer below this gives way to a city of exactly that name in one other state. */
const FIRM = 0.85
const ELSEWHERE_SCORE = 0.8

class CitiesByRegion {
  readonly #catalogue: Catalogue
  readonly #weigh: Weigh
  readonly #byRegion = new Map<Region, RegionCities>()
  readonly #elsewhere: () => Elsewhere

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.#weigh = weighWords(catalogue.ciudades)
    this.#elsewhere = lazy(() => new Elsewhere(catalogue.ciudades, catalogue.lexicon))
  }

  find(value: string, region: Region): CityResult {
    const here = this.#citiesOf(region).find(value)
    if (here.match && (here.match.rule !== 'similar' || here.match.score >= FIRM)) {
      return match(here.match.entry, here.match.rule, here.match.score)
    }
    const elsewhere = this.#elsewhere().find(value, region)
    if (elsewhere.certain) return match(elsewhere.certain, 'name', ELSEWHERE_SCORE)
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

interface Spelled extends Entry {
  readonly iso?: string
  readonly codenames?: readonly string[]
  readonly aliases: readonly string[]
  readonly hints?: readonly string[]
}

function* spellings<E extends Spelled>(entries: readonly E[]): Generator<Spelling<E>> {
  for (const entry of entries) {
    const iso = entry.iso === undefined ? [] : [entry.iso, entry.iso.slice(entry.iso.indexOf('-') + 1)]
    const texts: [FormKind, readonly string[]][] = [
      ['name', [entry.nombre]],
      ['codename', entry.codenames ?? []],
      ['iso', iso],
      ['alias', entry.aliases],
      ['hint', entry.hints ?? []],
    ]
    for (const [kind, list] of texts) for (const text of list) yield { entry, kind, text }
  }
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
