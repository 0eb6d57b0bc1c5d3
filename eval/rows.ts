import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A query with its expected answers: the columns of the evaluation files. */
export interface EvalRow {
  readonly kind: 'city' | 'make' | 'bodystyle' | 'colour' | 'region' | 'model' | 'version'
  readonly id: string
  readonly country: string
  readonly state: string
  /** The city, or the value of the other kinds. */
  readonly value: string
  /** Further given values by column: make, model, year, transmission … */
  readonly given: Readonly<Record<string, string>>
  /** Right answers as `name`, `name@ISO` for places, `name@make` for models, `name@model` for versions, compared after folding; empty: nothing may be found. */
  readonly right: readonly string[]
  /** Answers that are not expected but harmless. */
  readonly harmless: readonly string[]
  readonly noise: string
  readonly tier: string
}

/** Reads every .tsv of some folders. The header names the columns, in any order. */
export function readRows(...dirs: string[]): EvalRow[] {
  return dirs.flatMap((dir) => {
    const files = readdirSync(dir).filter((name) => name.endsWith('.tsv'))
    return files.sort().flatMap((name) => readFile(join(dir, name)))
  })
}

function readFile(path: string): EvalRow[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').split(/\r?\n/)
  const columns = header.split('\t')
  return lines.filter(Boolean).map((line) => {
    const cells = line.split('\t')
    const cell = (column: string) => cells[columns.indexOf(column)] ?? ''
    return toRow(cell, Object.fromEntries(columns.map((column) => [column, cell(column)])))
  })
}

function toRow(cell: (column: string) => string, given: Record<string, string>): EvalRow {
  const kind = cell('kind') as EvalRow['kind']
  const isPlace = kind === 'city' || kind === 'region'
  const name = isPlace ? cell('expected_city') : cell('expected')
  const expected = name && isPlace ? `${name}@${cell('expected_state')}` : name
  const others = cell('also_ok').split('|').filter(Boolean)
  return {
    kind,
    id: cell('id'),
    country: cell('country') || 'AR',
    state: cell('state'),
    value: isPlace ? cell('city') : cell('query'),
    given,
    right: expected ? [expected, ...others] : [],
    harmless: expected ? [] : others,
    noise: cell('noise_class'),
    tier: cell('tier') || (isVehicle(kind) ? halfOf(cell('id')) : expected ? 'core' : 'neg'),
  }
}

const isVehicle = (kind: EvalRow['kind']): boolean => kind === 'model' || kind === 'version'

/** Odd rows were used to tune the rules; even ones were only counted. */
const halfOf = (id: string): string => (Number(id.slice(1)) % 2 === 1 ? 'seen' : 'held')
