import { setImmediate as nextTick } from 'node:timers/promises'
import { itself, lazy, memoize } from '../../memoize.ts'
import type { Kind } from '../lexicon.ts'
import type { Catalogue, Ciudad, Color, Region } from '../load.ts'
import type { Carroceria, Marca } from '../vehicles.ts'
import { CountryCities } from './country.ts'
import { fixEncoding } from './fix-encoding.ts'
import type { FormKind, Spelling } from './names.ts'
import { type Found, Phrases, type Readiness } from './phrase.ts'
import * as reasons from './reasons.ts'
import { readReference } from './reference.ts'
import { type Match, match, type NoMatch, none, type Result } from './result.ts'
import { createVehicleMatcher, type VehicleMatcher } from './vehicle-matcher.ts'

export type CityResult = Match<Ciudad> | NoMatch<Ciudad, 'city'> | NoMatch<Region, 'state'>

/** Maps a partner's own values to our records. A value that is not certain is refused, with candidates. */
export interface Matcher extends VehicleMatcher {
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

/** An index is built when it is first used; a server builds all of them at start (`warmUp`). */
export function createMatcher(catalogue: Catalogue, { publicUrl }: { readonly publicUrl: string }): Matcher {
  const { lexicon } = catalogue
  const region = named('state', 'regiones', catalogue.regiones, publicUrl, () => {
    return new Phrases(spellings(catalogue.regiones), 'place', lexicon, 'whole names')
  })
  const phrases = <E extends Spelled, P extends string>(
    parameter: P,
    resource: string,
    entries: readonly E[],
    kind: Kind,
    readiness: Readiness,
  ) => named(parameter, resource, entries, publicUrl, () => new Phrases(spellings(entries), kind, lexicon, readiness))
  const make = phrases('make', 'marcas', catalogue.marcas, 'make', 'names')
  const bodystyle = phrases('bodystyle', 'carrocerias', catalogue.carrocerias, 'bodystyle', 'names')
  return {
    region,
    city: cityMatcher(catalogue, publicUrl, region),
    make,
    bodystyle,
    ...createVehicleMatcher(catalogue, publicUrl, make, bodystyle),
    colour: phrases('color', 'colores', catalogue.colores, 'colour', 'stems'),
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
    const text = fixEncoding(value).trim()
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
  const cities = lazy(() => new CountryCities(catalogue))
  const reference = named('city', 'ciudades', catalogue.ciudades, publicUrl, () => NOTHING)
  return (query: { readonly state: string; readonly city: string }): CityResult => {
    const state = region(query.state)
    if (state.kind === 'none') return state
    const text = fixEncoding(query.city).trim()
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

/** Caches results: partners send the same few thousand values again and again. */
export function cacheMatches(matcher: Matcher): Matcher {
  return {
    region: memoize(matcher.region, itself),
    city: memoize(matcher.city, ({ state, city }) => JSON.stringify([state, city])),
    make: memoize(matcher.make, itself),
    bodystyle: memoize(matcher.bodystyle, itself),
    colour: memoize(matcher.colour, itself),
    model: memoize(matcher.model, JSON.stringify),
    version: memoize(matcher.version, JSON.stringify),
    modelOf: matcher.modelOf,
    versionOf: matcher.versionOf,
  }
}

/** Matches nothing, so the search goes through every index. */
const NO_NAME = 'qzxwk jvyqz'

/** Builds every index, one at a time, so that no request waits for one. */
export async function warmUp(matcher: Matcher, { regiones, marcas, versiones }: Catalogue): Promise<void> {
  for (const match of [matcher.region, matcher.make, matcher.bodystyle, matcher.colour]) match(NO_NAME)
  for (const { nombre } of regiones) {
    await nextTick()
    matcher.city({ state: nombre, city: NO_NAME })
  }
  for (const marca of marcas) {
    await nextTick()
    matcher.modelOf(marca, NO_NAME)
  }
  const [version] = versiones
  if (version) matcher.versionOf(version.modelo, { trim: NO_NAME })
}
