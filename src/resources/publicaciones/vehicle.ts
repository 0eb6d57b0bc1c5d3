import type { Matcher } from '../../catalogue/match/matcher.ts'
import { fuelOf, transmissionOf } from '../../catalogue/match/technical.ts'
import { fold } from '../../catalogue/text.ts'
import { PROPULSIONES, TRANSMISIONES } from '../../catalogue/vehicles.ts'
import { type Fault, fault } from '../../http/problems.ts'
import { itself, memoize } from '../../memoize.ts'
import { normalizeLine } from '../../text.ts'
import { marcaRef } from '../marcas/marcas.ts'
import type { Faults } from './faults.ts'
import type { Vehicle } from './publicacion.ts'
import type { PublicacionCreate, PublicacionEdit } from './schema.ts'

/** The members that name a car, and those that tell its versions apart. */
type VehicleBody = Pick<PublicacionCreate, 'Marca' | 'Modelo' | 'Version'> &
  Pick<PublicacionEdit, 'VersionYear' | 'Carroceria' | 'Transmision' | 'Propulsion'>

const EMPTY = fault('vacio', 'No puede estar vacío.')

/** The car that a body names. Its make must be known; an unknown model or version stays as it was written. */
export function readVehicle(matcher: Matcher, named: VehicleBody, faults: Faults): Vehicle {
  const { Marca, Modelo, Version } = named
  const make = normalizeLine(Marca) === '' ? undefined : faults.match('Marca', matcher.make(Marca), marcaRef)
  if (normalizeLine(Marca) === '') faults.add('Marca', EMPTY)
  const text = normalizeLine(Modelo)
  if (text === '') faults.add('Modelo', EMPTY)
  const written = (Version && normalizeLine(Version)) || null
  const unknown = { modeloId: null, modelo: text, versionId: null, version: written }
  const vehicle = { marcaId: make?.id ?? 0, marca: make?.nombre ?? '', ...unknown, escrito: wordsOf(named) }
  if (!make || text === '') return vehicle

  const found = matcher.model({ make: Marca, model: text, bodystyle: named.Carroceria ?? undefined })
  if (found.kind === 'none') return vehicle
  const modelo = found.entry
  const trim = written ?? beyond(text, modelo.nombre)
  // Without any word of the version it would be a guess from technical data.
  const version = trim === null ? undefined : matcher.versionOf(modelo, criteriaOf(named, written), text).match?.entry
  return {
    ...vehicle,
    modeloId: modelo.id,
    modelo: modelo.nombre,
    versionId: version?.id ?? null,
    version: version?.nombre ?? trim,
  }
}

const criteriaOf = ({ VersionYear, Carroceria, Transmision, Propulsion }: VehicleBody, trim: string | null) => ({
  trim: trim ?? undefined,
  year: VersionYear ?? undefined,
  bodystyle: Carroceria ?? undefined,
  transmissionType: Transmision ?? undefined,
  fuelType: Propulsion ?? undefined,
})

/** The text beyond the model's name: dealers write the version there. */
function beyond(text: string, name: string): string | null {
  const at = fold(text).indexOf(fold(name))
  if (at < 0 || fold(text).length !== text.length) return fold(text) === fold(name) ? null : text
  return normalizeLine(`${text.slice(0, at)} ${text.slice(at + name.length)}`) || null
}

const fuel = memoize(fuelOf, itself)
const box = memoize((text: string) => transmissionOf(text)?.transmision, itself)

/** Fuel and gearbox, with the values of versiones. */
export function readEngine({ Propulsion, Transmision }: PublicacionEdit, faults: Faults) {
  return {
    propulsion: readValue('Propulsion', Propulsion, fuel, PROPULSIONES, faults),
    transmision: readValue('Transmision', Transmision, box, TRANSMISIONES, faults),
  }
}

function readValue(
  member: string,
  text: string | null | undefined,
  read: (text: string) => string | undefined,
  values: readonly string[],
  faults: Faults,
): string | null {
  if (!text?.trim()) return null
  const value = read(text)
  if (!value) faults.add(member, fault('opcion', `No se reconoce: envíe uno de ${values.join(', ')}.`))
  return value ?? null
}

const wordsOf = ({ Marca, Modelo, Version }: Pick<VehicleBody, 'Marca' | 'Modelo' | 'Version'>): string =>
  [Marca, Modelo, Version].map(plain).join('\n')

/** A row must name the car of the listing that it edits, in any words; another car is refused. */
export function refuseOtherCar(matcher: Matcher, there: Vehicle, row: VehicleBody, faults: Faults): void {
  if (wordsOf(row) === there.escrito) return
  const named = readVehicle(matcher, row, faults)
  if (faults.any) return
  const isSame = (id: keyof Vehicle, name: keyof Vehicle, text: string | null | undefined) =>
    (there[id] !== null && there[id] === named[id]) ||
    [named[name], text].some((each) => plain(each) === plain(there[name]))
  if (there.marcaId !== named.marcaId) faults.add('Marca', fixed(there.marca))
  else if (!isSame('modeloId', 'modelo', row.Modelo)) faults.add('Modelo', fixed(there.modelo))
  else if (!isSame('versionId', 'version', row.Version)) faults.add('Version', fixed(there.version))
}

const plain = (text: string | number | null | undefined): string => fold(normalizeLine(String(text ?? '')))

const fixed = (was: string | null): Fault =>
  fault(
    'incompatible',
    `${was === null ? 'No tiene versión y no se puede agregar' : `Es ${was} y no se puede cambiar`}: si es otro auto, archive la publicación y publíquelo de nuevo.`,
  )
