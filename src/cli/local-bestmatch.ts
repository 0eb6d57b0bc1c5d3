import type { Found, Kind, MatchValues, Outcome } from '@rodado/cli'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher, type Matcher } from '../catalogue/match/matcher.ts'
import type { Result } from '../catalogue/match/result.ts'
import type { Config } from '../config.ts'
import { lazy } from '../memoize.ts'

interface Entry {
  readonly id: number
  readonly nombre: string
  readonly region?: { readonly iso: string }
  readonly iso?: string
  /** The make of a model, or the model of a version. */
  readonly marca?: { readonly nombre: string }
  readonly modelo?: { readonly nombre: string; readonly marca: { readonly nombre: string } }
}

/** Matches against this installation's catalogue, without a server. */
export function matchLocally(config: Config): MatchValues {
  const matcher = lazy(() => createMatcher(loadCatalogue(config.country, config.catalogueDir), config))
  return async (kind, values) => values.map((texts) => outcomeOf(match(matcher(), kind, texts)))
}

function outcomeOf(found: Result<Entry>): Outcome {
  if (found.kind === 'match')
    return { match: { ...foundOf(found.entry, found.score), rule: found.rule }, candidates: [] }
  const { parameter, reason, candidates } = found
  return { match: null, parameter, reason, candidates: candidates.map(({ entry, score }) => foundOf(entry, score)) }
}

const foundOf = ({ id, nombre, marca, modelo, region, iso }: Entry, score: number): Found => ({
  id,
  name: nombre,
  ...(marca && { make: marca.nombre }),
  ...(modelo && { make: modelo.marca.nombre, model: modelo.nombre }),
  state: region?.iso ?? iso ?? null,
  score,
})

function match(matcher: Matcher, kind: Kind, texts: Record<string, string>): Result<Entry> {
  const { state = '', city = '', make = '', model = '', color = '', bodystyle = '', year } = texts
  if (kind === 'city') return matcher.city({ state, city })
  if (kind === 'region') return matcher.region(state)
  if (kind === 'make') return matcher.make(make)
  if (kind === 'colour') return matcher.colour(color)
  if (kind === 'bodystyle') return matcher.bodystyle(bodystyle)
  if (kind === 'model') return matcher.model({ make, model })
  const found = matcher.version({ ...texts, make, model, year: Number(year) || undefined })
  if (found.kind === 'none') return found
  const reason = `no version of ${found.modelo.nombre} is certain`
  return found.match ?? { kind: 'none', parameter: 'trim', reason, candidates: found.candidates }
}
