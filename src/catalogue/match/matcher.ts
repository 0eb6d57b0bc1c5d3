import { setImmediate as nextTick } from 'node:timers/promises'
import { getOrInsert, itself, lazy, memoize } from '../../memoize.ts'
import type { Kind } from '../lexicon.ts'
import type { Catalogue, Ciudad, Region } from '../load.ts'
import { fold } from '../text.ts'
import type { Carroceria, Marca, Modelo } from '../vehicles.ts'
import { CountryCities, inOtherState } from './country.ts'
import { fixEncoding } from './fix-encoding.ts'
import { Models } from './models.ts'
import { type Spelled, spellings } from './names.ts'
import { Phrases, type Tolerance } from './phrase.ts'
import * as reasons from './reasons.ts'
import { readReference } from './reference.ts'
import { emptyValue, type Match, match, type NoMatch, none, type Result } from './result.ts'
import { vehicleWords } from './vehicle-words.ts'
import type { Criteria } from './version-facts.ts'
import { NO_VERSION, type VersionFound, Versions } from './versions.ts'

export type CityResult = Match<Ciudad> | NoMatch<Ciudad, 'city'> | NoMatch<Region, 'state'>
type ModelResult = Result<Modelo, 'model'> | NoMatch<Marca, 'make'>

interface ModelQuery {
  readonly make: string
  readonly model: string
  readonly bodystyle?: string | undefined
}

export interface VersionQuery extends ModelQuery, Omit<Criteria, 'carroceria'> {}

/** Where the model is understood: its version, or none that is certain, with those that come near. */
export interface VersionResult extends VersionFound {
  readonly kind: 'version'
  readonly modelo: Modelo
}

/** Maps a partner's own values to our records. A value that is not certain is refused, with candidates. */
export type Matcher = Readonly<ReturnType<typeof createMatcher>>

/** An index is built when it is first used; a server builds all of them after its start (`warmUp`). */
export function createMatcher(catalogue: Catalogue, { publicUrl }: { readonly publicUrl: string }) {
  /** Finds an entry by its id, URL or path; undefined when the value is a name. */
  function byReference<E extends { id: number }, P extends string>(parameter: P, resource: string, all: readonly E[]) {
    const byId = lazy(() => new Map(all.map((entry) => [entry.id, entry])))
    return (text: string): Result<E, P> | undefined => {
      const reference = readReference(text, resource, publicUrl)
      if (!reference) return undefined
      if (reference.rule === 'foreign') return none(parameter, reasons.address(text, resource, reference.why))
      const entry = byId().get(reference.id)
      if (!entry) return none(parameter, reasons.unknownId(reference.id, resource))
      return match({ entry, rule: reference.rule, score: 1 })
    }
  }

  /** Finds an entry of a catalogue by reference, then by what was written. */
  function matchName<E extends Spelled, P extends string>(
    parameter: P,
    resource: string,
    all: readonly E[],
    kind: Kind,
    tolerance: Tolerance,
  ) {
    const referenced = byReference(parameter, resource, all)
    const phrases = lazy(() => new Phrases(spellings(all), catalogue.lexicon[kind], tolerance))
    return (value: string): Result<E, P> => {
      const text = fixEncoding(value).trim()
      if (!text) return emptyValue(parameter)
      const known = referenced(text)
      if (known) return known
      const found = phrases().find(text)
      return found.match
        ? match(found.match)
        : none(parameter, reasons.unknown(text, resource, found.candidates), found.candidates)
    }
  }

  const region = matchName('state', 'regiones', catalogue.regiones, 'place', 'whole names')
  const make = matchName('make', 'marcas', catalogue.marcas, 'make', 'names')
  const bodystyle = matchName('bodystyle', 'carrocerias', catalogue.carrocerias, 'bodystyle', 'names')
  const colour = matchName('color', 'colores', catalogue.colores, 'colour', 'stems')
  const cities = lazy(() => new CountryCities(catalogue))
  const models = lazy(() => new Models(catalogue))
  const versions = lazy(() => new Versions(catalogue.versiones))
  const referencedCity = byReference('city', 'ciudades', catalogue.ciudades)
  const referencedModel = byReference('model', 'modelos', catalogue.modelos)
  const referencedVersion = byReference('trim', 'versiones', catalogue.versiones)

  function city(query: { readonly state: string; readonly city: string }): CityResult {
    const state = region(query.state)
    if (state.kind === 'none') return state
    const text = fixEncoding(query.city).trim()
    if (!text) return emptyValue('city')
    const known = referencedCity(text)
    if (!known) return cities().find(text, state.entry)
    if (known.kind === 'none' || known.entry.region === state.entry) return known
    return inOtherState(known.entry)
  }

  /** A body style that is not understood is no reason to refuse: it only helps to tell two apart. */
  function bodyOf(value: string | undefined): Carroceria | undefined {
    const found = value?.trim() ? bodystyle(value) : undefined
    return found?.kind === 'match' ? found.entry : undefined
  }

  /** The model that a make and a text mean; either may hold the other, the text the version too. */
  function model(query: ModelQuery): ModelResult {
    const marca = make(query.make)
    return marca.kind === 'none' ? marca : modelOf(marca.entry, query.model, bodyOf(query.bodystyle))
  }

  /** The model that a text means where the make is known. */
  function modelOf(marca: Marca, value: string, carroceria?: Carroceria): Result<Modelo, 'model'> {
    const text = fixEncoding(value).trim()
    if (!text) return emptyValue('model')
    const known = referencedModel(text)
    if (known?.kind === 'match' && known.entry.marca !== marca)
      return none('model', reasons.otherMake(known.entry, marca), [known])
    // A bare number that is no id is a name: a Peugeot 208.
    if (known && (known.kind === 'match' || !/^\d+$/.test(text))) return known
    const found = models().find(marca, text, carroceria)
    return found.match
      ? match(found.match)
      : none('model', reasons.noModel(text, marca, found.candidates), found.candidates)
  }

  /** The version that a text, technical data or both mean. */
  function version(query: VersionQuery): VersionResult | Exclude<ModelResult, Match<Modelo>> {
    const found = model(query)
    if (found.kind === 'none') return found
    const criteria = { ...query, carroceria: bodyOf(query.bodystyle) }
    return { kind: 'version', modelo: found.entry, ...versionOf(found.entry, criteria, query.model) }
  }

  /** The version where the model is known; `modelText` may be the text that it was found by. */
  function versionOf(modelo: Modelo, criteria: Criteria, modelText = ''): VersionFound {
    const text = fixEncoding(criteria.trim ?? '').trim()
    const known = referencedVersion(text)
    if (known?.kind === 'match') {
      const { entry } = known
      return { match: entry.modelo === modelo ? known : null, candidates: [{ entry, score: 1 }] }
    }
    if (!versions().has(modelo)) return NO_VERSION // most models: not worth reading the text for
    return versions().find(modelo, { ...criteria, trim: withoutName(`${fixEncoding(modelText)} ${text}`, modelo) })
  }

  return { region, city, make, bodystyle, colour, model, modelOf, version, versionOf }
}

/** What a text says beside the model's own name: dealers write the version in the model's field, and the model in its. */
const withoutName = (text: string, modelo: Modelo): string => fold(text).replace(nameIn(modelo), ' ')

const patterns = new WeakMap<Modelo, RegExp>()

/** Where a text names a model; made once for each, because making it costs more than using it. */
const nameIn = (modelo: Modelo): RegExp =>
  getOrInsert(patterns, modelo, () => {
    const name = vehicleWords(modelo.nombre).map((word) => word.replace(/[.?]/g, '\\$&'))
    return new RegExp(`(?<![a-z0-9])${name.join('[^a-z0-9]*')}(?![a-z0-9])`, 'g')
  })

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
/** The models of most makes are few. */
const MAKES_AT_ONCE = 10

/** Builds every index, one after another; `pause` lets requests in between. */
export async function warmUp(
  matcher: Matcher,
  { regiones, marcas, versiones }: Catalogue,
  pause: () => Promise<unknown> = nextTick,
): Promise<void> {
  for (const match of [matcher.region, matcher.make, matcher.bodystyle, matcher.colour]) {
    await pause()
    match(NO_NAME)
  }
  for (const { nombre } of regiones) {
    await pause()
    matcher.city({ state: nombre, city: NO_NAME })
  }
  for (const [at, marca] of marcas.entries()) {
    if (at % MAKES_AT_ONCE === 0) await pause()
    matcher.modelOf(marca, NO_NAME)
  }
  await pause()
  const [version] = versiones
  if (version) matcher.versionOf(version.modelo, { trim: NO_NAME })
}
