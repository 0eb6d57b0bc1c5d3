import { lazy } from '../../memoize.ts'
import type { Catalogue } from '../load.ts'
import { fold } from '../text.ts'
import type { Carroceria, Marca, Modelo } from '../vehicles.ts'
import { fixEncoding } from './fix-encoding.ts'
import { Models } from './models.ts'
import * as reasons from './reasons.ts'
import { readReference } from './reference.ts'
import { type Match, match, type NoMatch, none, type Result } from './result.ts'
import { vehicleWords } from './vehicle-words.ts'
import type { Criteria } from './version-facts.ts'
import { NO_VERSION, type VersionFound, Versions } from './versions.ts'

export interface ModelQuery {
  readonly make: string
  readonly model: string
  readonly bodystyle?: string | undefined
}

export interface VersionQuery extends ModelQuery, Omit<Criteria, 'carroceria'> {}

type ModelResult = Match<Modelo> | NoMatch<Modelo, 'model'> | NoMatch<Marca, 'make'>

/** Where the model is understood: its version, or none that is certain, with those that come near. */
export interface VersionResult extends VersionFound {
  readonly kind: 'version'
  readonly modelo: Modelo
}

/** Models and versions, for partners who send texts and for us who know the make or the model already. */
export interface VehicleMatcher {
  /** The model that a make and a text mean; either may hold the other, the text the version too. */
  model(query: ModelQuery): ModelResult
  /** The same where the make is known. */
  modelOf(marca: Marca, model: string, carroceria?: Carroceria): Result<Modelo, 'model'>
  /** The version that a text, technical data or both mean. */
  version(query: VersionQuery): VersionResult | NoMatch<Modelo, 'model'> | NoMatch<Marca, 'make'>
  /** The same where the model is known; `model` may be the text that it was found by. */
  versionOf(modelo: Modelo, criteria: Criteria, model?: string): VersionFound
}

export function createVehicleMatcher(
  catalogue: Catalogue,
  publicUrl: string,
  make: (value: string) => Result<Marca, 'make'>,
  bodystyle: (value: string) => Result<Carroceria, 'bodystyle'>,
): VehicleMatcher {
  const models = lazy(() => new Models(catalogue))
  const versions = lazy(() => new Versions(catalogue.versiones))
  const modelById = lazy(() => new Map(catalogue.modelos.map((modelo) => [modelo.id, modelo])))
  const versionById = lazy(() => new Map(catalogue.versiones.map((version) => [version.id, version])))

  /** A body style that is not understood is no reason to refuse: it only helps to tell two apart. */
  function bodyOf(value: string | undefined): Carroceria | undefined {
    const found = value?.trim() ? bodystyle(value) : undefined
    return found?.kind === 'match' ? found.entry : undefined
  }

  function modelOf(marca: Marca, value: string, carroceria?: Carroceria): Result<Modelo, 'model'> {
    const text = fixEncoding(value).trim()
    if (!text) return none('model', reasons.empty('model'))
    const reference = readReference(text, 'modelos', publicUrl)
    if (reference?.rule === 'foreign') return none('model', reasons.address(text, 'modelos', reference.why))
    const entry = reference && modelById().get(reference.id)
    if (entry) {
      if (entry.marca === marca) return match(entry, reference.rule, 1)
      return none('model', reasons.otherMake(entry, marca), [{ entry, score: 1 }])
    }
    // A bare number that is no id is a name: a Peugeot 208.
    if (reference && reference.rule !== 'id') return none('model', reasons.unknownId(reference.id, 'modelos'))
    const found = models().find(marca, text, carroceria)
    if (found.match) return match(found.match.entry, found.match.rule, found.match.score)
    return none('model', reasons.noModel(text, marca), found.candidates)
  }

  function model(query: ModelQuery): ModelResult {
    const marca = make(query.make)
    return marca.kind === 'none' ? marca : modelOf(marca.entry, query.model, bodyOf(query.bodystyle))
  }

  function versionOf(modelo: Modelo, criteria: Criteria, modelText = ''): VersionFound {
    const text = fixEncoding(criteria.trim ?? '').trim()
    const reference = readReference(text, 'versiones', publicUrl)
    if (reference && reference.rule !== 'foreign') {
      const entry = versionById().get(reference.id)
      if (entry?.modelo === modelo) return { match: match(entry, reference.rule, 1), candidates: [{ entry, score: 1 }] }
      if (entry) return { match: null, candidates: [{ entry, score: 1 }] }
    }
    if (!versions().has(modelo)) return NO_VERSION // most models: not worth reading the text for
    return versions().find(modelo, { ...criteria, trim: withoutName(`${fixEncoding(modelText)} ${text}`, modelo) })
  }

  function version(query: VersionQuery): ReturnType<VehicleMatcher['version']> {
    const found = model(query)
    if (found.kind === 'none') return found
    const criteria = { ...query, carroceria: bodyOf(query.bodystyle) }
    return { kind: 'version', modelo: found.entry, ...versionOf(found.entry, criteria, query.model) }
  }

  return { model, modelOf, version, versionOf }
}

/** What a text says beside the model's own name: dealers write the version in the model's field, and the model in its. */
const withoutName = (text: string, modelo: Modelo): string => fold(text).replace(nameIn(modelo), ' ')

const patterns = new WeakMap<Modelo, RegExp>()

/** Where a text names a model; made once for each, because making it costs more than using it. */
function nameIn(modelo: Modelo): RegExp {
  const known = patterns.get(modelo)
  if (known) return known
  const name = vehicleWords(modelo.nombre).map((word) => word.replace(/[.?]/g, '\\$&'))
  const pattern = new RegExp(`(?<![a-z0-9])${name.join('[^a-z0-9]*')}(?![a-z0-9])`, 'g')
  patterns.set(modelo, pattern)
  return pattern
}
