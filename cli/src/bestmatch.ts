import { once } from 'node:events'
import { linesOf } from './bestmatch/lines.ts'
import {
  CATALOGUES,
  type Found,
  KINDS,
  type Kind,
  type MatchValues,
  matchByApi,
  type Outcome,
  textsOf,
  type Values,
} from './bestmatch/match.ts'
import { FLAG, TEXT, UsageError } from './command.ts'
import { readInput } from './input.ts'
import { defineCommand, PARTNER_OPTIONS, withClient } from './partner.ts'
import { suggestion } from './suggestion.ts'
import type { Style } from './terminal.ts'

const OPTIONS = {
  kind: { ...TEXT, values: KINDS },
  state: TEXT,
  make: TEXT,
  model: TEXT,
  year: TEXT,
  stdin: FLAG,
  csv: TEXT,
  columns: TEXT,
  ...PARTNER_OPTIONS,
}

/** Matches one value or a stream of them, by the API or by a server's own catalogue. */
export const run = defineCommand('[VALUE…]', OPTIONS, async (values, io, ...words) => {
  const { config, input, out, style } = io
  const { stdin, json, state, make, model, year } = values
  const kind = readKind(values.kind)
  const value = words.join(' ')
  if (values.columns !== undefined && values.csv === undefined) throw new UsageError('--columns belongs to --csv.')
  if (values.csv !== undefined && (stdin || json || value !== ''))
    throw new UsageError('--csv takes neither a VALUE nor --stdin nor --json: it answers CSV.')
  if (stdin && json) throw new UsageError('--stdin answers JSON lines by itself: leave --json out.')
  if (stdin && value !== '') throw new UsageError('give a VALUE or --stdin, not both.')
  if (!stdin && value === '' && values.csv === undefined) throw new UsageError('give a VALUE, --csv or --stdin.')

  const given = { state, make, model, year }
  const work = async (match: MatchValues) => {
    if (values.csv !== undefined) {
      const { readCsv } = await import('./bestmatch/csv.ts') // loaded late: other commands do not parse CSV
      const { matchTable } = await import('./bestmatch/table.ts')
      const table = readCsv(await readInput(values.csv, input))
      return matchTable(table, { kind, fixed: textsOf(kind, given), columns: values.columns, match }, io)
    }
    if (stdin)
      return answerLines(
        (lines) =>
          match(
            kind,
            lines.map((each) => textsOf(kind, each)),
          ),
        input,
        out,
      )
    const [outcome] = await match(kind, [textsOf(kind, { ...given, [CATALOGUES[kind].main]: value })])
    if (!outcome) throw new Error('there is no answer.')
    return { json: resultOf(outcome), text: describe(outcome, style), code: outcome.match ? 0 : 1 }
  }
  // A server's own command line needs no API, unless one is named.
  const local = values.url === undefined && values.app === undefined ? config.local : undefined
  return local ? work(local.match) : withClient(config, values, (client) => work(matchByApi(client)))
})

function readKind(text = ''): Kind {
  const kind = KINDS.find((known) => known === text)
  if (kind) return kind
  throw new UsageError(`--kind is needed: ${KINDS.join(', ')}.${suggestion(text, KINDS)}`)
}

/** Writes one result per line, in order; an unreadable line gets an error, and the rest goes on. */
async function answerLines(
  match: (values: Values[]) => Promise<Outcome[]>,
  input: NodeJS.ReadableStream,
  out: NodeJS.WritableStream,
): Promise<number> {
  let code = 0
  for await (const lines of linesOf(input)) {
    const read = lines.map(({ text, number }) => ({ number, values: readValues(text) }))
    const outcomes = await match(read.flatMap(({ values }) => (values ? [values] : [])))
    for (const { number, values } of read) {
      if (!values) code = 1
      const outcome = values && outcomes.shift()
      const answer = outcome
        ? { ...(outcome.match ?? NO_MATCH), id: values.id ?? null }
        : { ...NO_MATCH, error: `line ${number} is not a JSON object` }
      if (!out.write(`${JSON.stringify(answer)}\n`)) await once(out, 'drain')
    }
  }
  return code
}

function readValues(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const NO_MATCH = { id: null, name: null, state: null, score: null, rule: null }

/** The JSON result for one value; the id is the record's. */
const resultOf = ({ match, parameter, reason, candidates }: Outcome) =>
  match ?? { ...NO_MATCH, parameter, reason, candidates }

function describe({ match, parameter, reason, candidates }: Outcome, style: Style): string {
  if (match) return `${style('green', nameOf(match))}\nrule=${match.rule}, score=${match.score}\n`
  const near = candidates.map((found) => `  ${found.score.toFixed(2)}  ${nameOf(found)}\n`)
  return `${style('red', 'no match')} on ${parameter}: ${reason}\n${near.join('')}`
}

function nameOf({ id, name, make, model, state }: Found): string {
  const owner = state ?? [make, model].filter(Boolean).join(' ')
  return `${name}${owner ? ` (${owner})` : ''}, id ${id}`
}
