import { packageModule } from './packages.ts'
import { listed, readTsv } from './tsv.ts'

/** A first-level division from sources/regiones.tsv. */
export interface Region {
  id: number
  iso: string
  nombre: string
  aliases: string[]
  /** Its GeoNames admin1 codes; two for Lima, which GeoNames splits. */
  geonames: string[]
}

const COLUMNS = ['id', 'iso', 'nombre', 'aliases', 'geonames'] as const

/** Every region of every country. */
export function readRegions(path: string): Region[] {
  return readTsv(path, COLUMNS).map((row) => ({
    id: Number(row.id),
    iso: row.iso,
    nombre: row.nombre,
    aliases: listed(row.aliases),
    geonames: listed(row.geonames),
  }))
}

/** From GeoNames' admin1 codes to our regions. */
export const isoByAdmin1 = (regions: readonly Region[]): Map<string, string> =>
  new Map(regions.flatMap((region) => region.geonames.map((code) => [code, region.iso])))

/** ISO lists Lima twice, as region and as metropolitan municipality; we have one. */
const NOT_OURS = new Set(['PE-LMA'])

/** Fails unless our regions of each country are exactly those of ISO 3166-2 (the innermost level), each id once. */
export async function checkAgainstIso(regions: readonly Region[]): Promise<void> {
  const { iso31662 } = await packageModule<{ iso31662: { code: string; parent: string }[] }>('iso-3166/index.js')
  const countries = new Set(regions.map((region) => region.iso.slice(0, 2)))
  const parents = new Set(iso31662.map(({ parent }) => parent))
  const expected = iso31662
    .map(({ code }) => code)
    .filter((code) => countries.has(code.slice(0, 2)) && !parents.has(code) && !NOT_OURS.has(code))
  const ours = new Set(regions.map((region) => region.iso))
  const missing = expected.filter((code) => !ours.has(code))
  const extra = [...ours].filter((code) => !expected.includes(code))
  if (missing.length > 0 || extra.length > 0)
    throw new Error(`regions missing: ${missing}; not in ISO 3166-2: ${extra}`)
  if (new Set(regions.map((region) => region.id)).size !== regions.length) throw new Error('a region id is given twice')
}
