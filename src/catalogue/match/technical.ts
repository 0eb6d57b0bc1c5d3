import { fold } from '../text.ts'
import type { Propulsion, Transmision } from '../vehicles.ts'

/** Boxes by name; every automatic one counts as such, its own name only tells two of them apart. */
const BOX =
  /(?<![a-z])(?:(?<![\d.,])\d ?)?(a\/t|at|aut|auto|autom|automat\w*|cvt|e-?cvt|dsg|dct|tiptronic|tip|powershift|dualogic|i[- ]?motion|s[- ]?tronic|gsr|xtronic|easytronic|steptronic|secuencial|m\/t|mt|manual|man|mec|mecanica|mecanico)(\d{1,2})?(?![a-z0-9])/g
const MANUAL = new Set(['m/t', 'mt', 'manual', 'man', 'mec', 'mecanica', 'mecanico'])

/** What makers call one kind of box. */
const KINDS: Record<string, string> = {
  ...{ cvt: 'cvt', ecvt: 'cvt', xtronic: 'cvt' },
  ...{ dct: 'dct', dsg: 'dct', stronic: 'dct', powershift: 'dct' },
  ...{ gsr: 'robot', dualogic: 'robot', imotion: 'robot', easytronic: 'robot' },
}

export interface Box {
  readonly transmision: Transmision
  /** `cvt`, `dct`, `robot`; empty where only "automatic" was written, or what any automatic may be called. */
  readonly kind: string
}

const FUELS: readonly (readonly [RegExp, Propulsion])[] = [
  [/(?<![a-z])(?:phev|plug ?-?in|enchufable)(?![a-z])/g, 'hibrido-enchufable'],
  [/(?<![a-z])(?:hev|mhev|hybrid|hibrid[oa]|e-?power)(?![a-z])/g, 'hibrido'],
  [/(?<![a-z])(?:electric[oa]?|bev|ev)(?![a-z])/g, 'electrico'],
  [/(?<![a-z])(?:diesel|gasoil|tdi|td|hdi|dci|tdci|vcdi|crdi|cdi|jtd|tdv6|bluehdi|d4d)(?![a-z])/g, 'diesel'],
  [/(?<![a-z])(?:gnc|glp)(?![a-z])/g, 'gnc'],
  [/(?<![a-z])(?:nafta|naft|naftero|gasolina|flex|super|infinia)(?![a-z])/g, 'nafta'],
]

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

/** What he writes for the fuel. A car converted to gas burns petrol too: it is the petrol version. */
function readFuel(text: string): { readonly fuel?: Propulsion; readonly rest: string } {
  let rest = text
  let fuel: Propulsion | undefined
  for (const [pattern, means] of FUELS) {
    rest = rest.replace(pattern, () => {
      fuel ??= means
      return ' '
    })
  }
  return fuel ? { fuel, rest } : { rest }
}

/** The box that a value of its own names: "Automática", "AT6", "6MT", "CVT". */
export const transmissionOf = (value: string): Box | undefined => readBox(fold(value)).box

/** The fuel that a value of its own names: "Naftero", "TDI", "Híbrido". */
export const fuelOf = (value: string): Propulsion | undefined => readFuel(fold(value)).fuel

const LARGEST_LITRES = 20
const HORSEPOWER_PER_KW = 1.35962

/** Cubic centimetres from "1.6", "1,6 L", "1598" or "1598 cc". */
export function displacementOf(value: string): number | undefined {
  const number = Number(/\d+(?:[.,]\d+)?/.exec(value.replace(/(\d)[.,](\d{3})(?!\d)/, '$1$2'))?.[0].replace(',', '.'))
  if (!(number > 0)) return undefined
  return number < LARGEST_LITRES ? Math.round(number * 1000) : Math.round(number)
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

const RULES: readonly (readonly [RegExp, (trim: Mutable, found: RegExpMatchArray) => void])[] = [
  [/(?<![a-z0-9])(?:4 ?x ?4|4wd|awd|4motion|quattro|4matic)(?![a-z0-9])/g, (trim) => (trim.traction = '4x4')],
  [/(?<![a-z0-9])(?:4 ?x ?2|2wd|fwd)(?![a-z0-9])/g, (trim) => (trim.traction = '4x2')],
  [
    /(?<![a-z])(?:d ?\/? ?c(?:ab)?|c ?\/? ?d|cd|dc|doble cab\w*|cab\w*\.? doble|dob\w*\.? cab\w*|cab\w*\.? dob\w*)(?![a-z])/g,
    (trim) => (trim.cabin = 'doble'),
  ],
  [
    /(?<![a-z])(?:c ?\/? ?s|s ?\/ ?c|cab\w*\.? simple|simple cab\w*|cab\w*\.? sim\w*)(?![a-z])/g,
    (trim) => (trim.cabin = 'simple'),
  ],
  [/(?<![a-z])(?:cab\w*\.? (?:ext\w*|y media|plus)|c ?\/? ?e)(?![a-z])/g, (trim) => (trim.cabin = 'extendida')],
  [
    /(?<![a-z0-9.])([2-5]) ?(?:p|pts?|ptas?|puertas?|portas)\.?(?![a-z0-9])/g,
    (trim, found) => (trim.doors = Number(found[1])),
  ],
  [
    /(?<![a-z0-9.])(\d) ?(?:as|asientos?|pas|pasajeros|plazas)(?![a-z0-9])/g,
    (trim, found) => (trim.seats = Number(found[1])),
  ],
  [/(?<![a-z0-9.])(\d)a(?![a-z0-9/])/g, (trim, found) => (trim.seats = Number(found[1]))],
  [
    /(?<![0-9.])(\d)[.,](\d)(?![0-9.]) ?(?:l|lts|n)?(?![a-z0-9])/g,
    (trim, found) => (trim.litres = Number(`${found[1]}.${found[2]}`)),
  ],
  [/(?<![a-z0-9.])(\d{2,3}) ?(?:cv|hp|ps)(?![a-z0-9])/g, (trim, found) => (trim.power = Number(found[1]))],
  [/(?<![a-z0-9.])((?:19[5-9]|20[0-4])\d)(?![a-z0-9.])/g, (trim, found) => (trim.year = Number(found[1]))],
  [/(?<![a-z])sedan(?![a-z])/g, (trim) => (trim.body = 'sedan')],
  [/(?<![a-z])hatch(?:back)?(?![a-z])/g, (trim) => (trim.body = 'hatchback')],
]

/** What dealers shorten, as the names have it. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/(?<![0-9.])(\d[.,]\d) ?t(?:urbo)?(?![a-z0-9])/g, '$1 turbo'],
  [/(?<![a-z0-9])kd(?![a-z0-9])/g, 'kinetic design'],
  [/(?<![a-z0-9])(?:pk|pack) ?1(?![a-z0-9])/g, 'pack i'],
  [/(?<![a-z0-9])(?:pk|pack) ?2(?![a-z0-9])/g, 'pack ii'],
  [/(?<![a-z0-9])(?:pk|pack) ?3(?![a-z0-9])/g, 'pack iii'],
]
const WORD = /[\p{L}?]+\d*|\d+\p{L}*|\+/gu
const MOST_WORDS = 24

/** Takes a text apart; what is left once engine, box, fuel, doors and seats are taken out are the trim's own words. */
export function readTrim(text: string): Trim {
  const trim: Mutable = { words: [], numbers: [] }
  let rest = ` ${fold(text)} `.replace(/\s+/g, ' ')
  for (const [short, long] of SHORT) rest = rest.replace(short, long)
  const boxed = readBox(rest)
  trim.box = boxed.box
  rest = boxed.rest
  for (const [pattern, note] of RULES) {
    rest = rest.replace(pattern, (...found) => {
      note(trim, found as unknown as RegExpMatchArray)
      return ' '
    })
  }
  const fuelled = readFuel(rest.replace(/(\d{3}) tsi(?![a-z])/g, 'tsi$1'))
  trim.fuel = fuelled.fuel
  const all = (fuelled.rest.replace(/(?<=[a-z])\+/g, ' plus ').match(WORD) ?? []).slice(0, MOST_WORDS)
  trim.numbers = all.filter((word) => /^\d+$/.test(word)).map(Number)
  trim.words = [...new Set(all.filter((word) => !/^\d+$/.test(word)))]
  return trim
}
