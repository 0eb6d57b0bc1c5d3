/**
 * Writes src/catalogue/data/{country}/regiones.tsv and ciudades.tsv from the packages and from sources/. If an id would change its
 * meaning, it lists the conflicts and writes nothing.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withAliases } from './aliases.ts'
import { readCorrections, readUnwanted } from './corrections.ts'
import { type GeonamesPlace, readGeonames } from './geonames.ts'
import { type Doubt, join } from './join.ts'
import { FIRST_OWN_ID, idConflicts, number } from './ledger.ts'
import { withMunicipios } from './municipios.ts'
import { readOfficial } from './official.ts'
import { readLedger, readRenames, readRetired, writeCities, writeRegions } from './output.ts'
import { accented, fold, grouped, kilometresBetween, nameInRegion, type Place } from './place.ts'
import { checkAgainstIso, type Region, readRegions } from './regions.ts'
import { readTopUp } from './topup.ts'
import { readWritten } from './written.ts'

// In the order in which they were added: ids are given in that order.
const COUNTRIES = 'AR MX CL CO PE UY EC PY BO VE CR PA GT HN NI DO SV'.split(' ')
const SOURCES = fileURLToPath(new URL('./sources/', import.meta.url))
const DATA = fileURLToPath(new URL('../src/catalogue/data/', import.meta.url))
/** Below this many people a Mexican place is a hamlet that no address names without its municipio. */
const SMALLEST_MX = 2500
const ONE_PLACE_KM = 15

const { values: options } = parseArgs({
  options: {
    /** Countries without a ledger. Required, because a lost file would otherwise be renumbered. */
    new: { type: 'string', multiple: true, default: [] },
    /** Lists the pairs of namesakes that need a decision. */
    doubts: { type: 'boolean', default: false },
  },
})

const regions = readRegions(`${SOURCES}regiones.tsv`)
await checkAgainstIso(regions)
const renames = readRenames(`${SOURCES}renames.tsv`)
const retired = readRetired(`${SOURCES}retired.tsv`)
const ledgers = new Map(
  COUNTRIES.map((country) => [
    country,
    options.new.includes(country) ? [] : readLedger(`${DATA}${country}/ciudades.tsv`),
  ]),
)

let lastId = Math.max(FIRST_OWN_ID - 1, ...retired, ...[...ledgers.values()].flat().map((entry) => entry.id))
const built = []
for (const [country, ledger] of ledgers) {
  const own = regions.filter((region) => region.iso.startsWith(`${country}-`))
  const { places, doubts } = await gather(country, own)
  const numbered = number(withAliases(places, readUnwanted(SOURCES + country)), ledger, renames, () => ++lastId)
  built.push({ country, own, numbered, doubts, broken: idConflicts(ledger, numbered, renames, retired) })
}

const broken = built.flatMap((country) => country.broken)
if (broken.length > 0) {
  console.error(`${broken.length} ids would change their meaning; declare them in renames.tsv or retired.tsv:`)
  for (const line of broken) console.error(`  ${line}`)
  process.exit(1)
}
for (const { country, own, numbered, doubts } of built) {
  writeRegions(`${DATA}${country}/regiones.tsv`, own)
  writeCities(`${DATA}${country}/ciudades.tsv`, numbered)
  console.log(`${country}: ${own.length} regions, ${numbered.length} places, ${doubts.length} doubts`)
  if (options.doubts) for (const doubt of doubts) console.log(describe(doubt))
}

/** All places of a country: GeoNames with corrections, then the national list, then our own files; later ones win. */
async function gather(country: string, own: readonly Region[]): Promise<{ places: Place[]; doubts: Doubt[] }> {
  const corrections = readCorrections(SOURCES + country)
  const dump = readGeonames(country, own)
  const geonames = withoutDoubles(corrections.applied([...dump, ...readTopUp(country, own, dump)]))
  const known = selected(country, withMunicipios(country, own, geonames))
  const official = join(known, corrections.applied(await readOfficial(country, own)))
  corrections.checkAllUsed()
  const all = join(withAccents(official.places), readWritten(SOURCES + country))
  return { places: all.places, doubts: [...official.doubts, ...all.doubts] }
}

function describe({ written, known }: Doubt): string {
  const other = `${known.id ?? known.fuente} in ${known.departamento}`
  return `  ${written.nombre} (${written.region}): ${written.departamento}, or the same as ${other}?`
}

/** GeoNames lists some towns twice, as a seat and as a settlement: keeps the larger of such namesakes. */
function withoutDoubles(places: readonly GeonamesPlace[]): GeonamesPlace[] {
  const dropped = new Set<GeonamesPlace>()
  for (const namesakes of grouped(places, nameInRegion).values()) {
    const bySize = namesakes.toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0) || (a.id ?? 0) - (b.id ?? 0))
    for (const [index, place] of bySize.entries()) {
      const kept = bySize.slice(0, index).filter((larger) => !dropped.has(larger))
      if (kept.some((larger) => isOnePlace(larger, place))) dropped.add(place)
    }
  }
  return places.filter((place) => !dropped.has(place))
}

/** True for neighbours and for namesakes in one department, which nobody could distinguish by what we show. */
function isOnePlace(a: Place, b: Place): boolean {
  return kilometresBetween(a, b) < ONE_PLACE_KM || fold(a.departamento) === fold(b.departamento)
}

/** Mexico's places are mostly hamlets: keeps the seats and places of some size. Other countries keep everything. */
function selected(country: string, places: readonly (Place & { kind?: string })[]): Place[] {
  if (country !== 'MX') return [...places]
  return places.filter((place) => place.kind !== 'PPL' || (place.poblacion ?? 0) >= SMALLEST_MX)
}

/** Unifies the spelling of departments and places with one name in a region to the one with accents. */
function withAccents(places: readonly Place[]): Place[] {
  const best = new Map<string, string>()
  const key = (place: Place, name: string) => `${place.region} ${fold(name)}`
  for (const place of places) {
    for (const name of [place.nombre, place.departamento]) {
      best.set(key(place, name), accented(best.get(key(place, name)) ?? name, name))
    }
  }
  return places.map((place) => ({
    ...place,
    nombre: best.get(key(place, place.nombre)) ?? place.nombre,
    departamento: best.get(key(place, place.departamento)) ?? place.departamento,
  }))
}
