import { fold } from '../text.ts'
import type { Propulsion } from '../vehicles.ts'
import { type Box, readBox, readFuel } from './technical.ts'

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
