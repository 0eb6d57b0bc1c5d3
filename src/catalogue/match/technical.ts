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
export function readBox(text: string): { readonly box?: Box; readonly rest: string } {
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
export function readFuel(text: string): { readonly fuel?: Propulsion; readonly rest: string } {
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
