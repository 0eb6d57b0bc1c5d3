import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher, type Matcher } from '../catalogue/match/matcher.ts'
import type { Result } from '../catalogue/match/result.ts'
import { defineCommand, FLAG, type Io, TEXT, UsageError } from './command.ts'

const KINDS = ['city', 'make', 'model', 'version', 'bodystyle', 'colour', 'region'] as const
type Kind = (typeof KINDS)[number]
const OPTIONS = { kind: TEXT, state: TEXT, make: TEXT, model: TEXT, year: TEXT, stdin: FLAG }

type MatchParams = { readonly [member: string]: unknown }

interface Entry {
  readonly id: number
  readonly nombre: string
  readonly region?: { readonly iso: string }
  readonly iso?: string
  /** The make of a model, or the model of a version. */
  readonly marca?: { readonly nombre: string }
  readonly modelo?: { readonly nombre: string; readonly marca: { readonly nombre: string } }
}

/** Matches one value or a stream of them without a server. */
export const run = defineCommand('[VALUE…]', OPTIONS, async (values, io, ...words) => {
  const { stdin, json, state, make, year } = values
  const kind = KINDS.find((known) => known === values.kind)
  const value = words.join(' ')
  if (!kind) throw new UsageError(`--kind is needed: ${KINDS.join(', ')}.`)
  if (stdin && json) throw new UsageError('--stdin answers JSON lines by itself: leave --json out.')
  if (stdin && value !== '') throw new UsageError('give a VALUE or --stdin, not both.')
  if (!stdin && value === '') throw new UsageError('give a VALUE, or --stdin.')
  const matcher = createMatcher(loadCatalogue(io.config.country, io.config.catalogueDir), io.config)
  if (stdin) return answerLines(matcher, kind, io)
  const params = { state, make, model: values.model ?? value, year, city: value, trim: value, query: value }
  const found = match(matcher, kind, params)
  return { json: resultOf(found), text: describe(found), code: found.kind === 'match' ? 0 : 1 }
})

/** Writes one result per line, in order; an unreadable line gets an error, and the rest goes on. */
async function answerLines(matcher: Matcher, kind: Kind, { input, out }: Io): Promise<number> {
  let [line, code] = [0, 0]
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (!text.trim()) continue
    const params = readParams(text)
    if (!params) code = 1
    const answer = params
      ? { ...matchedOf(match(matcher, kind, params)), id: params.id ?? null }
      : { ...NO_MATCH, error: `line ${line} is not a JSON object` }
    if (!out.write(`${JSON.stringify(answer)}\n`)) await once(out, 'drain')
  }
  return code
}

function readParams(text: string): MatchParams | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const NO_MATCH = { id: null, name: null, state: null, score: null, rule: null }

const matchedOf = (found: Result<Entry>) =>
  found.kind === 'none' ? NO_MATCH : { ...namesOf(found.entry), score: found.score, rule: found.rule }

function namesOf({ id, nombre, marca, modelo, region, iso }: Entry) {
  const owner = {
    ...(marca && { make: marca.nombre }),
    ...(modelo && { make: modelo.marca.nombre, model: modelo.nombre }),
  }
  return { id, name: nombre, ...owner, state: region?.iso ?? iso ?? null }
}

/** The JSON result for one value; the id is the record's. */
function resultOf(found: Result<Entry>) {
  if (found.kind === 'match') return matchedOf(found)
  const { parameter, reason } = found
  const candidates = found.candidates.map(({ entry, score }) => ({ ...namesOf(entry), score }))
  return { ...NO_MATCH, parameter, reason, candidates }
}

const TECHNICAL = ['trim', 'bodystyle', 'transmissionType', 'displacement', 'power', 'fuelType'] as const

function match(matcher: Matcher, kind: Kind, params: MatchParams): Result<Entry> {
  const text = (name: string) => textOf(params[name])
  const query = text('query')
  if (kind === 'city') return matcher.city({ state: text('state'), city: textOf(params.city ?? params.query) })
  if (kind === 'region') return matcher.region(query || text('state'))
  if (kind !== 'model' && kind !== 'version') return matcher[kind](query)

  const make = text('make')
  if (kind === 'model') return matcher.model({ make, model: textOf(params.model ?? params.query) })
  const technical = Object.fromEntries(TECHNICAL.map((name) => [name, text(name)]))
  const found = matcher.version({ make, model: text('model'), ...technical, year: Number(text('year')) || undefined })
  if (found.kind === 'none') return found
  const reason = `no version of ${found.modelo.nombre} is certain`
  return found.match ?? { kind: 'none', parameter: 'trim', reason, candidates: found.candidates }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function describe(found: Result<Entry>): string {
  const name = ({ nombre, id, region, iso, marca, modelo }: Entry) => {
    const owner = region?.iso ?? iso ?? marca?.nombre ?? (modelo && `${modelo.marca.nombre} ${modelo.nombre}`)
    return `${nombre}${owner ? ` (${owner})` : ''}, id ${id}`
  }
  if (found.kind === 'match') return `${name(found.entry)}\nrule=${found.rule}, score=${found.score}\n`
  const near = found.candidates.map(({ entry, score }) => `  ${score.toFixed(2)}  ${name(entry)}\n`)
  return `no match on ${found.parameter}: ${found.reason}\n${near.join('')}`
}
