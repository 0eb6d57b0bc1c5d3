import type { Carroceria } from '../load.ts'
import type { Modelo, Propulsion, Version } from '../vehicles.ts'
import { distance } from './distance.ts'
import { editLimit, likenessOf } from './likeness.ts'
import { append } from './lists.ts'
import { AMBIGUOUS, type Candidate, type Match, match, none } from './result.ts'
import { type Box, displacementOf, fuelOf, powerOf, transmissionOf } from './technical.ts'
import { readTrim, type Trim } from './trim.ts'

/** What is known of a vehicle besides its model; every part of it may be missing. */
export interface Criteria {
  readonly trim?: string | undefined
  readonly year?: number | undefined
  readonly carroceria?: Carroceria | undefined
  /** The body style as it was written, for doors and cabins. */
  readonly bodystyle?: string | undefined
  readonly transmissionType?: string | undefined
  readonly displacement?: string | undefined
  readonly power?: string | undefined
  readonly fuelType?: string | undefined
}

export interface VersionFound {
  readonly match: Match<Version> | null
  /** The best first; the match is among them. */
  readonly candidates: readonly Candidate<Version>[]
}

/** What was asked, read once for all versions. */
interface Asked {
  readonly trim: Trim
  readonly year?: number | undefined
  readonly carroceria?: Carroceria | undefined
  readonly box?: Box | undefined
  readonly fuel?: Propulsion | undefined
  readonly displacement?: number | undefined
  readonly power?: number | undefined
}

interface Known {
  readonly version: Version
  readonly trim: Trim
  readonly words: ReadonlySet<string>
}

interface Group {
  readonly versions: readonly Known[]
  readonly vocabulary: ReadonlySet<string>
  readonly powers: ReadonlySet<number>
  readonly hasTraction: boolean
}

const CUBIC_CENTIMETRES = 60 // 1.3 may be 1242, 1.8 may be 1747
const HORSEPOWER = 4
const HORSEPOWER_PART = 0.03
const YEARS_BESIDE = 1 // a car of the last days of a year is often sold as the next
const SURE_ENOUGH = 0.7
const MARGIN = 0.05
/** Without a word of the trim, what each technical fact adds to a mere guess, and how sure they can make it. */
const PER_FACT = 0.11
const MOST_TECHNICAL = 0.95
const LIKE = 0.78
const SHORTEST_BEGINNING = 3
const GENERATION = /^i+v?$/ // "Focus III"

/** Engine families and valves say less than the trim: dealers leave them out. */
const LIGHT = new Set('msi tsi sce tce gse etorq e torq thp turbo t 8v 16v 12v'.split(' '))

const COST = {
  yearBeside: 0.12,
  body: 0.15,
  boxKind: 0.06,
  foreign: 0.35,
  lightForeign: 0.1,
  missing: 0.12,
  lightMissing: 0.02,
  strange: 0.2,
} as const

/** Finds the version that a trim, technical data or both mean, inside a model. */
export class Versions {
  readonly #groups = new Map<Modelo, Group>()
  readonly #everywhere = new Set<string>()

  constructor(versiones: readonly Version[]) {
    const byModel = new Map<Modelo, Known[]>()
    for (const version of versiones) {
      const trim = readTrim(version.nombre)
      const words = new Set(trim.words)
      append(byModel, version.modelo, { version, trim, words })
      for (const word of words) if (!LIGHT.has(word)) this.#everywhere.add(word)
    }
    for (const [modelo, known] of byModel) this.#groups.set(modelo, groupOf(known))
  }

  find(modelo: Modelo, criteria: Criteria): VersionFound {
    const group = this.#groups.get(modelo)
    if (!group) return { match: null, candidates: [] }
    const asked = read(criteria, group)
    const words = this.#meant(asked.trim.words, group)
    const possible = group.versions.flatMap((known) => {
      const cost = technicalCost(known, asked, group)
      if (cost === undefined) return []
      const most = words.heavy.length ? 1 : Math.min(MOST_TECHNICAL, AMBIGUOUS + verified(known, asked) * PER_FACT)
      return [{ entry: known.version, score: most - cost - wordCost(known, words), known }]
    })
    const candidates = none<Version, 'trim'>(
      'trim',
      '',
      possible.filter(({ score }) => score > 0),
    ).candidates
    const [best, second] = possible.sort((a, b) => b.score - a.score)
    if (!best || best.score < SURE_ENOUGH || (second && best.score - second.score < MARGIN)) {
      return { match: null, candidates }
    }
    const rule = words.heavy.length === 0 ? 'technical' : wordCost(best.known, words) === 0 ? 'name' : 'part'
    return { match: match(best.entry, rule, best.score), candidates }
  }

  /** The written words as this model's versions have them; `strange` are trims of other models. */
  #meant(written: readonly string[], { vocabulary }: Group): Words {
    const all = new Set<string>()
    let strange = 0
    for (const word of written) {
      const known = vocabulary.has(word) ? word : (similarTo(word, vocabulary) ?? begunBy(word, vocabulary))
      if (known) all.add(known)
      else if (this.#everywhere.has(word) && word.length > 1 && !GENERATION.test(word)) strange++
    }
    return { all, heavy: [...all].filter((word) => !LIGHT.has(word)), strange }
  }
}

interface Words {
  readonly all: ReadonlySet<string>
  readonly heavy: readonly string[]
  readonly strange: number
}

function groupOf(versions: readonly Known[]): Group {
  return {
    versions,
    vocabulary: new Set(versions.flatMap(({ trim }) => trim.words)),
    powers: new Set(versions.flatMap(({ version }) => version.potencia ?? [])),
    hasTraction: versions.some(({ trim }) => trim.traction === '4x4'),
  }
}

function read(criteria: Criteria, group: Group): Asked {
  const trim = readTrim(criteria.trim ?? '')
  const body = readTrim(criteria.bodystyle ?? '')
  const number = trim.numbers.find((one) => group.powers.has(one))
  return {
    trim: { ...trim, doors: trim.doors ?? body.doors, cabin: trim.cabin ?? body.cabin },
    year: criteria.year ?? trim.year,
    carroceria: criteria.carroceria,
    box: transmissionOf(criteria.transmissionType ?? '') ?? trim.box,
    fuel: fuelOf(criteria.fuelType ?? '') ?? trim.fuel,
    displacement: displacementOf(criteria.displacement ?? '') ?? (trim.litres && trim.litres * 1000),
    power: powerOf(criteria.power ?? '') ?? trim.power ?? number,
  }
}

/** What speaks against a version; undefined where what was said rules it out. */
function technicalCost(known: Known, asked: Asked, group: Group): number | undefined {
  const { version, trim } = known
  let cost = 0
  if (asked.year !== undefined) {
    const off = yearsOff(version, asked.year)
    if (off > YEARS_BESIDE) return undefined
    if (off > 0) cost += COST.yearBeside
  }
  if (asked.box) {
    if (version.transmision && version.transmision !== asked.box.transmision) return undefined
    if (asked.box.kind && asked.box.kind !== (trim.box?.kind ?? '')) cost += COST.boxKind
  }
  if (asked.fuel && version.propulsion && fuelFamily(asked.fuel) !== version.propulsion) return undefined
  const displacement = version.cilindrada ?? (trim.litres && trim.litres * 1000)
  if (asked.displacement && displacement && Math.abs(asked.displacement - displacement) > CUBIC_CENTIMETRES)
    return undefined
  if (asked.power && version.potencia && !samePower(asked.power, version.potencia)) return undefined
  if (differs(asked.trim.doors, trim.doors) || differs(asked.trim.seats, trim.seats)) return undefined
  if (differs(asked.trim.cabin, trim.cabin)) return undefined
  if (group.hasTraction && asked.trim.traction) {
    if (asked.trim.traction !== (trim.traction ?? '4x2')) return undefined
  }
  if (version.carroceria && !hasBody(version.carroceria, asked)) cost += COST.body
  return cost
}

/** What speaks against a version in the words of its trim. */
function wordCost({ words }: Known, { all, strange }: Words): number {
  let cost = strange * COST.strange
  for (const word of all) if (!words.has(word)) cost += LIGHT.has(word) ? COST.lightForeign : COST.foreign
  const silent = ![...all].some((word) => !LIGHT.has(word))
  for (const word of words) {
    if (all.has(word)) continue
    if (LIGHT.has(word)) cost += COST.lightMissing
    else if (!silent) cost += COST.missing
  }
  return cost
}

/** How many of the technical facts asked for the version is known to have. */
function verified({ version, trim }: Known, asked: Asked): number {
  const facts = [
    asked.year !== undefined && version.desde !== null,
    asked.box !== undefined && version.transmision !== null,
    asked.fuel !== undefined && version.propulsion !== null,
    asked.displacement !== undefined && (version.cilindrada !== null || trim.litres !== undefined),
    asked.power !== undefined && version.potencia !== null,
    asked.carroceria !== undefined && asked.carroceria === version.carroceria,
  ]
  return facts.filter(Boolean).length
}

/** Whether the body is the one asked for, or none was. */
function hasBody(known: Carroceria, { carroceria, trim }: Asked): boolean {
  if (carroceria) return carroceria === known
  return trim.body === undefined || known.codenames.includes(trim.body)
}

function yearsOff({ desde, hasta }: Version, year: number): number {
  if (desde !== null && year < desde) return desde - year
  if (hasta !== null && year > hasta) return year - hasta
  return 0
}

/** A car that burns gas is a petrol one converted. */
const fuelFamily = (fuel: Propulsion): Propulsion => (fuel === 'gnc' ? 'nafta' : fuel)

const samePower = (asked: number, known: number): boolean =>
  Math.abs(asked - known) <= Math.max(HORSEPOWER, known * HORSEPOWER_PART)

const differs = <T>(asked: T | undefined, known: T | undefined): boolean =>
  asked !== undefined && known !== undefined && asked !== known

function similarTo(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  let best: string | undefined
  let nearest = LIKE
  for (const known of vocabulary) {
    const limit = editLimit(word.length, known.length)
    if (limit === 0 || Math.abs(word.length - known.length) > limit || /\d/.test(known)) continue
    const likeness = likenessOf(distance(known, word, limit), word.length)
    if (likeness > nearest) [best, nearest] = [known, likeness]
  }
  return best
}

/** The only word that begins so: "Comf" is Comfortline. */
function begunBy(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (word.length < SHORTEST_BEGINNING) return undefined
  const begun = [...vocabulary].filter((known) => known.startsWith(word))
  return begun.length === 1 ? begun[0] : undefined
}
