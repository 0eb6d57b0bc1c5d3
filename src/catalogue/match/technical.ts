import { fileURLToPath } from 'node:url'
import { fold } from '../text.ts'
import { readTable } from '../tsv.ts'
import type { Propulsion, Transmision } from '../vehicles.ts'

/** Boxes by name; every automatic one counts as such, its own name only tells two of them apart. */
const BOX =
  /(?<![a-z])(?:(?<![\d.,])\d ?)?(a\/t|at|aut|auto|autom|automat\w*|cvt|e-?cvt|dsg|dct|tiptronic|tip|powershift|dualogic|i[- ]?motion|s[- ]?tronic|gsr|xtronic|easytronic|steptronic|secuencial|m\/t|mt|manual|man|mec|mecanica|mecanico)(\d{1,2})?(?![a-z0-9])/g
const MANUAL = new Set(['m/t', 'mt', 'manual', 'man', 'mec', 'mecanica', 'mecanico'])

/** What makers call one kind of box. */
// biome-ignore format: a line for each kind
const KINDS: Record<string, string> = {
  cvt: 'cvt', ecvt: 'cvt', xtronic: 'cvt',
  dct: 'dct', dsg: 'dct', stronic: 'dct', powershift: 'dct',
  gsr: 'robot', dualogic: 'robot', imotion: 'robot', easytronic: 'robot',
}

interface Box {
  readonly transmision: Transmision
  /** `cvt`, `dct`, `robot`; empty where only "automatic" was written, or what any automatic may be called. */
  readonly kind: string
}

const ROWS = readTable(
  fileURLToPath(new URL('./technical.tsv', import.meta.url)),
  'technical.tsv',
  { required: ['field', 'value', 'pattern'], optional: [] },
  [],
)
const PATTERNS = ROWS.map((row) => ({
  field: row.cell('field'),
  value: row.cell('value'),
  pattern: new RegExp(row.cell('pattern'), 'g'),
}))
/** What dealers shorten, with what the names have for it. */
const SHORT = PATTERNS.filter(({ field }) => field === 'short')
const FUELS = PATTERNS.filter(({ field }) => field === 'fuel')
/** What sets a field of a trim. */
const RULES = PATTERNS.filter(({ field }) => field !== 'short' && field !== 'fuel')

/** What a dealer writes for the box, and the text without it. */
function readBox(text: string): { readonly box?: Box; readonly rest: string } {
  let box: Box | undefined
  const rest = text.replace(BOX, (_, name: string) => {
    const plain = name.replace(/[- ]/g, '')
    const found: Box = MANUAL.has(plain)
      ? { transmision: 'manual', kind: '' }
      : { transmision: 'automatica', kind: KINDS[plain] ?? '' }
    if (!box || found.kind) box = found
    return ' '
  })
  return box ? { box, rest } : { rest }
}

/** What a dealer writes for the fuel. A car converted to gas burns petrol too: it is the petrol version. */
function readFuel(text: string): { readonly fuel?: Propulsion; readonly rest: string } {
  let rest = text
  let fuel: Propulsion | undefined
  for (const { pattern, value } of FUELS) {
    rest = rest.replace(pattern, () => {
      fuel ??= value as Propulsion
      return ' '
    })
  }
  return fuel ? { fuel, rest } : { rest }
}

/** The box that a value of its own names: "Automática", "AT6", "6MT", "CVT". */
export const transmissionOf = (value: string): Box | undefined => readBox(fold(value)).box

/** The fuel that a value of its own names: "Naftero", "TDI", "Híbrido". */
export const fuelOf = (value: string): Propulsion | undefined => readFuel(fold(value)).fuel

const MAX_LITRES = 20
const HORSEPOWER_PER_KW = 1.35962

/** Cubic centimetres from "1.6", "1,6 L", "1598" or "1598 cc". */
export function displacementOf(value: string): number | undefined {
  const number = Number(/\d+(?:[.,]\d+)?/.exec(value.replace(/(\d)[.,](\d{3})(?!\d)/, '$1$2'))?.[0].replace(',', '.'))
  if (!(number > 0)) return undefined
  return number < MAX_LITRES ? Math.round(number * 1000) : Math.round(number)
}

/** Metric horsepower from "180", "180 cv", "132 kW". */
export function powerOf(value: string): number | undefined {
  const number = Number(/\d+(?:[.,]\d+)?/.exec(value)?.[0].replace(',', '.'))
  if (!(number > 0)) return undefined
  return Math.round(/kw/i.test(value) ? number * HORSEPOWER_PER_KW : number)
}

/** What a version's name, or a dealer's text for it, says. */
export interface Trim {
  /** What tells one trim from another: `xls`, `highline`. */
  readonly words: readonly string[]
  readonly box?: Box | undefined
  readonly fuel?: Propulsion | undefined
  /** Litres, as written: 1.6 */
  readonly litres?: number | undefined
  readonly power?: number | undefined
  readonly traction?: '4x4' | '4x2' | undefined
  readonly cabin?: 'doble' | 'simple' | 'extendida' | undefined
  readonly doors?: number | undefined
  readonly seats?: number | undefined
  /** The codename of a body style that the text names in passing: "S 1.6 sedan". */
  readonly body?: string | undefined
  readonly year?: number | undefined
  /** Numbers without a unit, which may be the power. */
  readonly numbers: readonly number[]
}

type Mutable = { -readonly [K in keyof Trim]: Trim[K] }

const WORD = /[\p{L}?]+\d*|\d+\p{L}*|\+/gu
const MAX_WORDS = 24

/** Takes a text apart; what is left once engine, box, fuel, doors and seats are taken out are the trim's own words. */
export function readTrim(text: string): Trim {
  const trim: Mutable = { words: [], numbers: [] }
  const fields: Record<string, unknown> = trim
  let rest = ` ${fold(text)} `.replace(/\s+/g, ' ')
  for (const { pattern, value } of SHORT) rest = rest.replace(pattern, value)
  const boxed = readBox(rest)
  trim.box = boxed.box
  rest = boxed.rest
  for (const { pattern, field, value } of RULES) {
    // Most patterns are not in the text: a test costs less than a replacement.
    if (rest.search(pattern) < 0) continue
    rest = rest.replace(pattern, (_, first: string, second: string) => {
      fields[field] = value === '$1' ? Number(first) : value === '$1.$2' ? Number(`${first}.${second}`) : value
      return ' '
    })
  }
  const fuelled = readFuel(rest.replace(/(\d{3}) tsi(?![a-z])/g, 'tsi$1'))
  trim.fuel = fuelled.fuel
  const all = (fuelled.rest.replace(/(?<=[a-z])\+/g, ' plus ').match(WORD) ?? []).slice(0, MAX_WORDS)
  trim.numbers = all.filter((word) => /^\d+$/.test(word)).map(Number)
  trim.words = [...new Set(all.filter((word) => !/^\d+$/.test(word)))]
  return trim
}
