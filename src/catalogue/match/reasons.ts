import { truncate } from '../../text.ts'
import type { Region } from '../load.ts'
import type { Marca, Modelo } from '../vehicles.ts'

const LIST_OF: Record<string, string> = {
  regiones: 'las regiones (GET /v3/regiones)',
  ciudades: 'las ciudades (GET /v3/ciudades?region={id})',
  marcas: 'las marcas (GET /v3/marcas)',
  modelos: 'los modelos (GET /v3/modelos?marca={id})',
  versiones: 'las versiones (GET /v3/versiones?modelo={id})',
  carrocerias: 'las carrocerías (GET /v3/carrocerias)',
  colores: 'los colores (GET /v3/colores)',
}

const listOf = (resource: string): string => LIST_OF[resource] ?? resource
const MAX_QUOTED = 80
const quote = (value: string): string => `«${value.length > MAX_QUOTED ? `${truncate(value, MAX_QUOTED)}…` : value}»`

export const empty = (parameter: string): string => `El parámetro ${parameter} está vacío: envíe un valor.`

/** The advice, after “choose a candidate” if there are candidates. */
const orChoose = (candidates: readonly unknown[], advice: string): string =>
  candidates.length > 0 ? `elija un candidato o ${advice}` : advice

export const unknown = (value: string, resource: string, candidates: readonly unknown[]): string =>
  `${quote(value)} no corresponde con certeza a nada de lo que conocemos: ${orChoose(candidates, `consulte ${listOf(resource)}`)}.`

export const unknownId = (id: number, resource: string): string =>
  `No existe el id ${id}: consulte ${listOf(resource)}.`

export const address = (value: string, resource: string, why: 'host' | 'catalogue'): string =>
  why === 'host'
    ? `${quote(value)} no es una dirección de este servicio: envíe una dirección nuestra, un id o un nombre.`
    : `${quote(value)} es una dirección de otro catálogo: envíe una de ${listOf(resource)}.`

export const noCity = (value: string, region: Region, candidates: readonly unknown[]): string =>
  `${quote(value)} no corresponde con certeza a ninguna ciudad de ${region.nombre}: ${orChoose(candidates, `consulte las ciudades (GET /v3/ciudades?region=${region.id})`)}.`

export const otherPlace = (value: string, region: Region, candidates: readonly unknown[]): string =>
  `${quote(value)} no es el nombre completo de una ciudad de ${region.nombre} y puede ser un lugar de otra región: ${orChoose(candidates, 'corrija state')}.`

export const severalStates = (value: string, region: Region): string =>
  `${quote(value)} no está en ${region.nombre} y hay ciudades con ese nombre en varias otras regiones: corrija state.`

export const noModel = (value: string, marca: Marca, candidates: readonly unknown[]): string =>
  `${quote(value)} no corresponde con certeza a ningún modelo de ${marca.nombre}: ${orChoose(candidates, `consulte los modelos (GET /v3/modelos?marca=${marca.id})`)}.`

export const otherMake = ({ nombre, marca }: Modelo, given: Marca): string =>
  `El modelo ${nombre} es de ${marca.nombre}, no de ${given.nombre}: corrija make o model.`
