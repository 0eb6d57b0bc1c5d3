import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher, type Matcher } from '../catalogue/match/matcher.ts'
import type { Result } from '../catalogue/match/result.ts'
import type { Config } from '../config.ts'
import { type Command, FLAG, parse, printJson, TEXT, UsageError } from './command.ts'

const KINDS = ['city', 'make', 'model', 'version', 'bodystyle', 'colour', 'region'] as const
type Kind = (typeof KINDS)[number]
const OPTIONS = { kind: TEXT, state: TEXT, make: TEXT, model: TEXT, year: TEXT, stdin: { ...FLAG, default: false } }

/** The catalogue to use, and the base URL of its records. */
type Installation = Pick<Config, 'country' | 'catalogueDir' | 'publicUrl'>

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

export const run: Command = (argv, { out, input, config }) => bestmatch(argv, out, input, config)

/** `rodado bestmatch`: matches one value or a stream of them without a server. */
export async function bestmatch(
  argv: string[],
  out: NodeJS.WritableStream,
  input: NodeJS.ReadableStream,
  { country, catalogueDir, publicUrl }: Installation,
): Promise<number> {
  const args = readArgs(argv)
  const matcher = createMatcher(loadCatalogue(country, catalogueDir), { publicUrl })
  if (args.stdin) return answerLines(matcher, args.kind, input, out)
  const found = match(matcher, args.kind, args.params)
  if (args.json) printJson(out, toldOf(found))
  else out.write(describe(found))
  return found.kind === 'match' ? 0 : 1
}

function readArgs(argv: string[]): { kind: Kind; stdin: boolean; json: boolean | undefined; params: MatchParams } {
  const { values, positionals } = parse(argv, OPTIONS)
  const kind = KINDS.find((known) => known === values.kind)
  const value = positionals.join(' ')
  if (!kind) throw new UsageError(`--kind is needed: ${KINDS.join(', ')}.`)
  const { stdin, json, state, make, model = value, year } = values
  if (stdin && json) throw new UsageError('--stdin answers JSON lines by itself: leave --json out.')
  if (stdin && value !== '') throw new UsageError('give a VALUE or --stdin, not both.')
  if (!stdin && value === '') throw new UsageError('give a VALUE, or --stdin.')
  return { kind, stdin, json, params: { state, make, model, year, city: value, trim: value, query: value } }
}

/** Writes one result per line, in order; an unreadable line gets an error, and the rest goes on. */
async function answerLines(
  matcher: Matcher,
  kind: Kind,
  input: NodeJS.ReadableStream,
  out: NodeJS.WritableStream,
): Promise<number> {
  let [line, faults] = [0, 0]
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (!text.trim()) continue
    const params = readLine(text)
    if (!params) faults++
    const answer = params
      ? matchLine(matcher, kind, params)
      : { ...NO_MATCH, error: `line ${line} is not a JSON object` }
    if (!out.write(`${JSON.stringify(answer)}\n`)) await once(out, 'drain')
  }
  return faults === 0 ? 0 : 1
}

function readLine(text: string): MatchParams | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const NO_MATCH = { id: null, name: null, state: null, score: null, rule: null }

function matchLine(matcher: Matcher, kind: Kind, params: MatchParams) {
  const found = match(matcher, kind, params)
  const id = params.id ?? null
  if (found.kind === 'none') return { ...NO_MATCH, id }
  return { ...namesOf(found.entry), id, score: found.score, rule: found.rule }
}

function namesOf({ id, nombre, marca, modelo, region, iso }: Entry) {
  const owner = {
    ...(marca && { make: marca.nombre }),
    ...(modelo && { make: modelo.marca.nombre, model: modelo.nombre }),
  }
  return { id, name: nombre, ...owner, state: region?.iso ?? iso ?? null }
}

/** The JSON result for one value; the id is the record's. */
function toldOf(found: Result<Entry>) {
  if (found.kind === 'match') return { ...namesOf(found.entry), score: found.score, rule: found.rule }
  const { parameter, reason } = found
  const candidates = found.candidates.map(({ entry, score }) => ({ ...namesOf(entry), score }))
  return { ...NO_MATCH, parameter, reason, candidates }
}

function match(matcher: Matcher, kind: Kind, params: MatchParams): Result<Entry> {
  const [state, query] = [textOf(params.state), textOf(params.query)]
  switch (kind) {
    case 'city':
      return matcher.city({ state, city: textOf(params.city ?? params.query) })
    case 'region':
      return matcher.region(query || state)
    case 'model':
      return matcher.model({ make: textOf(params.make), model: textOf(params.model ?? params.query) })
    case 'version':
      return matchVersion(matcher, params)
    default:
      return matcher[kind](query)
  }
}

function matchVersion(matcher: Matcher, params: MatchParams): Result<Entry> {
  const text = (name: string) => textOf(params[name])
  const found = matcher.version({
    make: text('make'),
    model: text('model'),
    trim: text('trim'),
    year: Number(text('year')) || undefined,
    bodystyle: text('bodystyle'),
    transmissionType: text('transmissionType'),
    displacement: text('displacement'),
    power: text('power'),
    fuelType: text('fuelType'),
  })
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
