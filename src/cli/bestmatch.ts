import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher, type Matcher } from '../catalogue/match/matcher.ts'
import type { Result } from '../catalogue/match/result.ts'
import type { Config } from '../config.ts'
import { type Command, parse, printJson, UsageError } from './command.ts'

const KINDS = ['city', 'make', 'model', 'version', 'bodystyle', 'colour', 'region'] as const
type Kind = (typeof KINDS)[number]

const USAGE = `Usage:
  rodado bestmatch --kind ${KINDS.join('|')}
                   [--state STATE] [--make MAKE] [--model MODEL] [--year YEAR] [--json] VALUE
  rodado bestmatch --kind … --stdin   JSON lines, one answer for each: {"id","state","city"}, {"id","make","model"},
    {"id","make","model","trim","year","bodystyle","transmissionType","displacement","power","fuelType"} or {"id","query"}`

/** Whose catalogue is asked, and under which address its records are known. */
type Installation = Pick<Config, 'country' | 'catalogueDir' | 'publicUrl'>

type Asked = { readonly [member: string]: unknown }

interface Entry {
  readonly id: number
  readonly nombre: string
  readonly region?: { readonly iso: string }
  readonly iso?: string
  /** What a model or a version belongs to. */
  readonly marca?: { readonly nombre: string }
  readonly modelo?: { readonly nombre: string; readonly marca: { readonly nombre: string } }
}

/** The command as the dispatcher knows it. */
export const bestmatchCommand: Command = {
  usage: USAGE,
  run: (argv, { out, input, config }) => bestmatch(argv, out, input, config),
}

/** `rodado bestmatch`: the server's answers without a server, for one value or for a stream of them. */
export async function bestmatch(
  argv: string[],
  out: NodeJS.WritableStream,
  input: NodeJS.ReadableStream,
  { country, catalogueDir, publicUrl }: Installation,
): Promise<number> {
  const args = readArgs(argv)
  const matcher = createMatcher(loadCatalogue(country, catalogueDir), { publicUrl })
  if (args.stdin) return answerLines(matcher, args.kind, input, out)
  const found = ask(matcher, args.kind, args.asked)
  if (args.json) printJson(out, toldOf(found))
  else out.write(describe(found))
  return found.kind === 'match' ? 0 : 1
}

function readArgs(argv: string[]): { kind: Kind; stdin: boolean; json: boolean; asked: Asked } {
  const { values, positionals } = parse(argv, {
    kind: { type: 'string' },
    state: { type: 'string' },
    make: { type: 'string' },
    model: { type: 'string' },
    year: { type: 'string' },
    stdin: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  })
  const kind = KINDS.find((known) => known === values.kind)
  const value = positionals.join(' ')
  if (!kind) throw new UsageError(`--kind is needed: ${KINDS.join(', ')}.`)
  const { stdin, json, state, make, model = value, year } = values
  if (stdin && json) throw new UsageError('--stdin answers JSON lines by itself: leave --json out.')
  if (stdin && value !== '') throw new UsageError('give a VALUE or --stdin, not both.')
  if (!stdin && value === '') throw new UsageError('give a VALUE, or --stdin.')
  return { kind, stdin, json, asked: { state, make, model, year, city: value, trim: value, query: value } }
}

/** One answer per line, in order; a line that cannot be read is answered with its fault, and the rest goes on. */
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
    const asked = readLine(text)
    if (!asked) faults++
    const answer = asked ? answerTo(matcher, kind, asked) : { ...NOTHING, error: `line ${line} is not a JSON object` }
    if (!out.write(`${JSON.stringify(answer)}\n`)) await once(out, 'drain')
  }
  return faults === 0 ? 0 : 1
}

function readLine(text: string): Asked | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const NOTHING = { id: null, name: null, state: null, score: null, rule: null }

function answerTo(matcher: Matcher, kind: Kind, asked: Asked) {
  const found = ask(matcher, kind, asked)
  const id = asked.id ?? null
  if (found.kind === 'none') return { ...NOTHING, id }
  return { ...namesOf(found.entry), id, score: found.score, rule: found.rule }
}

function namesOf({ id, nombre, marca, modelo, region, iso }: Entry) {
  const owner = {
    ...(marca && { make: marca.nombre }),
    ...(modelo && { make: modelo.marca.nombre, model: modelo.nombre }),
  }
  return { id, name: nombre, ...owner, state: region?.iso ?? iso ?? null }
}

/** The answer about one value, for programs: the id is the record's own, as there is no line to name. */
function toldOf(found: Result<Entry>) {
  if (found.kind === 'match') return { ...namesOf(found.entry), score: found.score, rule: found.rule }
  const { parameter, reason } = found
  const candidates = found.candidates.map(({ entry, score }) => ({ ...namesOf(entry), score }))
  return { ...NOTHING, parameter, reason, candidates }
}

function ask(matcher: Matcher, kind: Kind, asked: Asked): Result<Entry> {
  const [state, query] = [textOf(asked.state), textOf(asked.query)]
  switch (kind) {
    case 'city':
      return matcher.city({ state, city: textOf(asked.city ?? asked.query) })
    case 'region':
      return matcher.region(query || state)
    case 'model':
      return matcher.model({ make: textOf(asked.make), model: textOf(asked.model ?? asked.query) })
    case 'version':
      return askVersion(matcher, asked)
    default:
      return matcher[kind](query)
  }
}

function askVersion(matcher: Matcher, asked: Asked): Result<Entry> {
  const text = (name: string) => textOf(asked[name])
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
