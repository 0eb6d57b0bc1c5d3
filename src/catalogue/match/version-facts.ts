import type { Carroceria, Propulsion, Version } from '../vehicles.ts'
import { displacementOf, fuelOf, powerOf, readTrim, type Trim, transmissionOf } from './technical.ts'

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

const CUBIC_CENTIMETRES = 60 // 1.3 may be 1242, 1.8 may be 1747
const HORSEPOWER = 4 // DIN, SAE and brochures differ
const HORSEPOWER_PART = 0.03
const YEARS_BESIDE = 1 // a car of the last days of a year is often sold as the next
/** A name that has another kind of box is another version; one that has none may have left it out. */
const COST = { yearBeside: 0.12, body: 0.15, boxUnsaid: 0.06, otherBox: 0.2 } as const

/** The criteria, parsed once for all versions. */
type ParsedCriteria = ReturnType<typeof readCriteria>

/** A number without a unit is the power if a version of the model has that power. */
export function readCriteria(criteria: Criteria, powers: ReadonlySet<number>) {
  const trim = readTrim(criteria.trim ?? '')
  const body = readTrim(criteria.bodystyle ?? '')
  return {
    trim: { ...trim, doors: trim.doors ?? body.doors, cabin: trim.cabin ?? body.cabin },
    year: criteria.year ?? trim.year,
    carroceria: criteria.carroceria,
    box: transmissionOf(criteria.transmissionType ?? '') ?? trim.box,
    fuel: fuelOf(criteria.fuelType ?? '') ?? trim.fuel,
    displacement: displacementOf(criteria.displacement ?? '') ?? cubicCentimetres(trim),
    power: powerOf(criteria.power ?? '') ?? trim.power ?? trim.numbers.find((number) => powers.has(number)),
  }
}

/** The cost of a version that fits the criteria badly; undefined if they rule it out. */
export function factCost(version: Version, trim: Trim, criteria: ParsedCriteria): number | undefined {
  const yearsOff = criteria.year === undefined ? 0 : yearsOutside(version, criteria.year)
  if (yearsOff > YEARS_BESIDE || isOtherEngine(version, trim, criteria) || isOtherShape(trim, criteria.trim))
    return undefined
  if (criteria.box && version.transmision && version.transmision !== criteria.box.transmision) return undefined
  let cost = yearsOff > 0 ? COST.yearBeside : 0
  if (criteria.box?.kind && criteria.box.kind !== trim.box?.kind)
    cost += trim.box?.kind ? COST.otherBox : COST.boxUnsaid
  if (version.carroceria && !hasBody(version.carroceria, criteria)) cost += COST.body
  return cost
}

/** How many of the wanted technical facts the version is known to have. */
export function factsVerified(version: Version, trim: Trim, criteria: ParsedCriteria): number {
  const facts = [
    criteria.year !== undefined && version.desde !== null,
    criteria.box !== undefined && version.transmision !== null,
    criteria.fuel !== undefined && version.propulsion !== null,
    criteria.displacement !== undefined && (version.cilindrada ?? trim.litres) !== undefined,
    criteria.power !== undefined && version.potencia !== null,
    criteria.carroceria !== undefined && criteria.carroceria === version.carroceria,
  ]
  return facts.filter(Boolean).length
}

function isOtherEngine(version: Version, trim: Trim, { fuel, displacement, power }: ParsedCriteria): boolean {
  if (fuel && version.propulsion && burnt(fuel) !== version.propulsion) return true
  const known = version.cilindrada ?? cubicCentimetres(trim)
  if (displacement && known && Math.abs(displacement - known) > CUBIC_CENTIMETRES) return true
  if (!power || version.potencia === null) return false
  return Math.abs(power - version.potencia) > Math.max(HORSEPOWER, version.potencia * HORSEPOWER_PART)
}

function isOtherShape(known: Trim, criteria: Trim): boolean {
  return (
    differs(criteria.doors, known.doors) ||
    differs(criteria.seats, known.seats) ||
    differs(criteria.cabin, known.cabin) ||
    differs(criteria.traction, known.traction)
  )
}

const differs = <T>(criteria: T | undefined, known: T | undefined): boolean =>
  criteria !== undefined && known !== undefined && criteria !== known

/** Whether the version has the wanted body, if one was named. */
function hasBody(known: Carroceria, { carroceria, trim }: ParsedCriteria): boolean {
  if (carroceria) return carroceria === known
  return trim.body === undefined || known.codenames.includes(trim.body)
}

function yearsOutside({ desde, hasta }: Version, year: number): number {
  if (desde !== null && year < desde) return desde - year
  if (hasta !== null && year > hasta) return year - hasta
  return 0
}

const cubicCentimetres = ({ litres }: Trim): number | undefined => (litres === undefined ? undefined : litres * 1000)

/** A car that burns gas is a petrol one converted. */
const burnt = (fuel: Propulsion): Propulsion => (fuel === 'gnc' ? 'nafta' : fuel)
