import { once } from 'node:events'
import { splitList, UsageError } from '../command.ts'
import { suggestion } from '../suggestion.ts'
import { isTerminal } from '../terminal.ts'
import { type CsvTable, printCsv, printHeading } from './csv.ts'
import {
  CATALOGUES,
  type Found,
  type Kind,
  MAX_VALUES,
  type MatchValues,
  type Outcome,
  type Texts,
  textsOf,
} from './match.ts'

const ADDED = ['match_id', 'match_name', 'match_score', 'match_rule', 'match_reason', 'match_alternatives']

interface Matching {
  kind: Kind
  /** Parameters that are the same for all rows. */
  fixed: Texts
  /** `city=Localidad,state=Provincia`: which column has which parameter. */
  columns: string | undefined
  match: MatchValues
}

/** Writes the table with the match of each row, its score and alternatives. */
export async function matchTable(
  table: CsvTable,
  { kind, fixed, columns, match }: Matching,
  { out, err }: { out: NodeJS.WritableStream; err: NodeJS.WritableStream },
): Promise<number> {
  const { heading, rows, delimiter } = table
  const positions = positionsOf(kind, heading, columns)
  const kept = heading.flatMap((name, at) => (ADDED.includes(name) ? [] : [at]))
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain')
  }
  const progress = isTerminal(err) && !isTerminal(out)
  let matched = 0
  await write(printHeading([...kept.map((at) => heading[at] ?? ''), ...ADDED], table))
  for (let at = 0; at < rows.length; at += MAX_VALUES) {
    const batch = rows.slice(at, at + MAX_VALUES)
    const texts = batch.map((row) => ({ ...fixed, ...textsIn(row, positions) }))
    const outcomes = await match(
      kind,
      texts.map((each) => textsOf(kind, each)),
    )
    matched += outcomes.filter((outcome) => outcome.match).length
    const answered = batch.map((row, index) => [
      ...kept.map((column) => row[column] ?? ''),
      ...addedOf(outcomes[index] as Outcome),
    ])
    await write(printCsv(answered, delimiter))
    if (progress) err.write(`\r\x1b[K  ${at + batch.length} of ${rows.length} rows`)
  }
  const total = rows.length === 1 ? '1 row' : `${rows.length} rows`
  err.write(`${progress ? '\r\x1b[K' : ''}${total}: ${matched} matched, ${rows.length - matched} not.\n`)
  return 0
}

/** The column of each parameter: the named one, or one that is called like the parameter. */
function positionsOf(kind: Kind, heading: string[], columns: string | undefined): [parameter: string, at: number][] {
  const { main, others } = CATALOGUES[kind]
  const parameters = [main, ...others, 'query']
  const named = new Map(splitList(columns ?? '').map((pair) => readPair(pair, parameters, heading)))
  const positions = parameters.flatMap((parameter) => {
    const at =
      named.get(parameter) ?? heading.findIndex((name) => name.trim().toLowerCase() === parameter.toLowerCase())
    return at < 0 ? [] : [[parameter, at] as [string, number]]
  })
  if (positions.some(([parameter]) => parameter === main || parameter === 'query')) return positions
  throw new UsageError(
    `no column is called ${main}: say which with --columns ${main}=NAME. There are: ${heading.join(', ')}.`,
  )
}

function readPair(pair: string, parameters: string[], heading: string[]): [parameter: string, at: number] {
  const [parameter = '', name = ''] = pair.split('=', 2)
  if (!parameters.includes(parameter))
    throw new UsageError(
      `there is no parameter ${parameter}.${suggestion(parameter, parameters)} There are: ${parameters.join(', ')}.`,
    )
  const at = heading.indexOf(name)
  if (at < 0)
    throw new UsageError(`there is no column ${name}.${suggestion(name, heading)} There are: ${heading.join(', ')}.`)
  return [parameter, at]
}

const textsIn = (row: string[], positions: [string, number][]): Texts =>
  Object.fromEntries(positions.map(([parameter, at]) => [parameter, row[at] ?? '']))

function addedOf({ match, reason = '', candidates }: Outcome): string[] {
  const alternatives = candidates
    .map((found) => `${found.id} ${labelOf(found)} (${found.score.toFixed(2)})`)
    .join(' | ')
  if (!match) return ['', '', '', '', reason, alternatives]
  return [String(match.id), labelOf(match), match.score.toFixed(2), match.rule, '', alternatives]
}

const labelOf = ({ name, make, model, state }: Found): string => [make, model, name, state].filter(Boolean).join(' ')
