import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { loadCatalogue } from '../catalogue/load.ts'
import { createMatcher, type Matcher } from '../catalogue/match/matcher.ts'
import type { Result } from '../catalogue/match/result.ts'
import type { Config } from '../config.ts'
import type { Command } from './command.ts'

const KINDS = ['city', 'make', 'bodystyle', 'colour', 'region'] as const
type Kind = (typeof KINDS)[number]

const USAGE = `rodado bestmatch --kind ${KINDS.join('|')} [--state STATE] VALUE
rodado bestmatch --kind ${KINDS.join('|')} --stdin   JSON lines {"id","state","city"} or {"id","query"}
`

/** Whose catalogue is asked, and under which address its records are known. */
type Installation = Pick<Config, 'country' | 'catalogueDir' | 'publicUrl'>

interface Asked {
  readonly id?: unknown
  readonly state?: unknown
  readonly city?: unknown
  readonly query?: unknown
}

type Entry = { readonly id: number; readonly nombre: string; readonly region?: { iso: string }; readonly iso?: string }

/** The command as the dispatcher knows it. */
export const bestmatchCommand: Command = {
  usage: `Usage:\n${USAGE}`,
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
  if (!args) {
    out.write(USAGE)
    return 2
  }
  const matcher = createMatcher(loadCatalogue(country, catalogueDir), { publicUrl })
  if (args.stdin) return answerLines(matcher, args.kind, input, out)
  const found = ask(matcher, args.kind, { state: args.state, city: args.value, query: args.value })
  out.write(describe(found))
  return found.kind === 'match' ? 0 : 1
}

function readArgs(argv: string[]): { kind: Kind; stdin: boolean; state: string; value: string } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { kind: { type: 'string' }, state: { type: 'string' }, stdin: { type: 'boolean', default: false } },
    })
    const kind = KINDS.find((known) => known === values.kind)
    const value = positionals.join(' ')
    if (!kind || (values.stdin ? value !== '' : value === '')) return undefined
    return { kind, stdin: values.stdin, state: values.state ?? '', value }
  } catch {
    return undefined
  }
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
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const NOTHING = { id: null, name: null, state: null, score: null, rule: null }

function answerTo(matcher: Matcher, kind: Kind, asked: Asked) {
  const found = ask(matcher, kind, asked)
  const id = asked.id ?? null
  if (found.kind === 'none') return { ...NOTHING, id }
  const { entry, score, rule } = found
  return { id, name: entry.nombre, state: entry.region?.iso ?? entry.iso ?? null, score, rule }
}

function ask(matcher: Matcher, kind: Kind, asked: Asked): Result<Entry> {
  const [state, query] = [textOf(asked.state), textOf(asked.query)]
  switch (kind) {
    case 'city':
      return matcher.city({ state, city: textOf(asked.city ?? asked.query) })
    case 'region':
      return matcher.region(query || state)
    default:
      return matcher[kind](query)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function describe(found: Result<Entry>): string {
  const name = ({ nombre, id, region, iso }: Entry) =>
    `${nombre}${region ? ` (${region.iso})` : iso ? ` (${iso})` : ''}, id ${id}`
  if (found.kind === 'match') return `${name(found.entry)}\nrule=${found.rule}, score=${found.score}\n`
  const near = found.candidates.map(({ entry, score }) => `  ${score.toFixed(2)}  ${name(entry)}\n`)
  return `no match on ${found.parameter}: ${found.reason}\n${near.join('')}`
}
