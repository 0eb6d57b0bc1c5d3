import { packageJson, packageModule } from './packages.ts'
import { fold, type Place } from './place.ts'
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

/** The localities of a country's official list, where a package has one better than GeoNames. */
export async function readOfficial(country: string, regions: readonly Region[]): Promise<Place[]> {
  if (country === 'CL') return comunas()
  if (country === 'PE') return distritos(regions)
  return []
}

/** The 346 comunas of Chile. */
async function comunas(): Promise<Place[]> {
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

/** The districts of Peru, which people of Lima give as their city. */
function distritos(regions: readonly Region[]): Place[] {
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
