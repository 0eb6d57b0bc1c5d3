import type { Matcher } from '../../catalogue/match/matcher.ts'
import { fold } from '../../catalogue/text.ts'
import { PROPULSIONES, TRANSMISIONES } from '../../catalogue/vehicles.ts'
import { oneLine } from '../../http/wording.ts'
import { marcaRef } from '../marcas/represent.ts'
import type { PublicacionCreate, PublicacionEdit } from './create-schema.ts'
import type { Faults } from './faults.ts'
import type { Vehicle } from './publicacion.ts'

type Given = Pick<PublicacionCreate, 'Marca' | 'Modelo' | 'Version'>

/** The car that a body names. Its make must be known; a model or version that is not stays as it was written. */
export function readVehicle(matcher: Matcher, { Marca, Modelo, Version }: Given, faults: Faults): Vehicle {
  const make = faults.match('Marca', matcher.make(Marca), marcaRef)
  const modelo = oneLine(Modelo)
  if (modelo === '') faults.add('Modelo', 'No puede estar vacío.')
  return {
    ...{ marcaId: make?.id ?? 0, marca: make?.nombre ?? '' },
    ...{ modeloId: null, modelo },
    ...{ versionId: null, version: (Version && oneLine(Version)) || null },
  }
}

/** How it is driven; values are those of versiones. */
export function readEngine({ Propulsion, Transmision }: PublicacionEdit, faults: Faults) {
  return {
    propulsion: oneOf('Propulsion', PROPULSIONES, Propulsion, faults),
    transmision: oneOf('Transmision', TRANSMISIONES, Transmision, faults),
  }
}

function oneOf(member: string, values: readonly string[], text: string | null | undefined, faults: Faults) {
  if (!text?.trim()) return null
  const found = values.find((value) => value === fold(text).trim())
  if (!found) faults.add(member, `Debe ser uno de: ${values.join(', ')}.`)
  return found ?? null
}

/** What differs between the car of a listing and the one that a row names for it, which must be the same. */
export function refuseOtherCar(there: Vehicle, named: Vehicle, given: Given, faults: Faults): void {
  const isSame = (id: keyof Vehicle, name: keyof Vehicle, text: string | null | undefined) =>
    (there[id] !== null && there[id] === named[id]) ||
    [named[name], text].some((each) => plain(each) === plain(there[name]))
  if (there.marcaId !== named.marcaId) faults.add('Marca', fixed(there.marca))
  else if (!isSame('modeloId', 'modelo', given.Modelo)) faults.add('Modelo', fixed(there.modelo))
  else if (!isSame('versionId', 'version', given.Version)) faults.add('Version', fixed(there.version ?? 'ninguna'))
}

const plain = (text: string | number | null | undefined): string => fold(oneLine(String(text ?? '')))

const fixed = (was: string): string =>
  `Es ${was} y no se cambia: si es otro auto, elimine la publicación y publíquelo otra vez.`
