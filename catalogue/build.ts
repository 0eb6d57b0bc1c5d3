/**
 * Writes src/catalogue/data/{country}/regiones.tsv and ciudades.tsv from the packages and from sources/.
 * Nothing is written when an id would change its meaning: `npm run catalogue:build` then lists the broken promises.
 */
import { withAccents } from './accents.ts'
import { withAliases } from './aliases.ts'
import { withoutDoubles } from './doubles.ts'
import { readGeonames, readTopUp } from './geonames.ts'
import { type Doubt, join } from './join.ts'
import { brokenPromises, FIRST_OWN_ID, number } from './ledger.ts'
import { comunas, distritos, withMunicipios } from './official.ts'
import { readLedger, readRenames, readRetired, writeCities, writeRegions } from './output.ts'
import type { Place } from './place.ts'
import { checkAgainstIso, type Region, readRegions } from './regions.ts'
import { selected } from './select.ts'
import { readCorrections, readUnwanted, readWritten } from './written.ts'

// In the order in which they came, for ids are given in that order.
const COUNTRIES = 'AR MX CL CO PE UY EC PY BO VE CR PA GT HN NI DO SV'.split(' ')

const at = (path: string) => new URL(path, import.meta.url).pathname
const SOURCES = at('./sources/')
const DATA = at('../src/catalogue/data/')

const regions = readRegions(`${SOURCES}regiones.tsv`)
await checkAgainstIso(regions)
const renames = readRenames(`${SOURCES}renames.tsv`)
const retired = readRetired(`${SOURCES}retired.tsv`)
const ledgers = new Map(COUNTRIES.map((country) => [country, readLedger(`${DATA}${country}/ciudades.tsv`)]))

let lastId = Math.max(FIRST_OWN_ID - 1, ...retired, ...[...ledgers.values()].flat().map((entry) => entry.id))
const built = []
for (const country of COUNTRIES) {
  const own = regions.filter((region) => region.iso.startsWith(`${country}-`))
  const ledger = ledgers.get(country) ?? []
  const { places, doubts } = await gather(country, own)
  const numbered = number(withAliases(places, readUnwanted(SOURCES + country)), ledger, renames, () => ++lastId)
  built.push({ country, own, numbered, doubts, broken: brokenPromises(ledger, numbered, renames, retired) })
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
  console.log(`${country}: ${own.length} regions, ${numbered.length} places`)
  if (process.argv.includes('--doubts')) for (const doubt of doubts) console.log(describe(doubt))
}

/** All places of a country, each once: GeoNames corrected, under the national list, under what we wrote. */
async function gather(country: string, own: readonly Region[]): Promise<{ places: Place[]; doubts: Doubt[] }> {
  const corrections = readCorrections(SOURCES + country)
  const dump = readGeonames(country, own)
  const geonames = withoutDoubles(corrections.applied([...dump, ...readTopUp(country, own, dump)]))
  const hasMunicipios = country === 'MX' || country === 'CO'
  const known = selected(country, hasMunicipios ? withMunicipios(country, own, geonames) : geonames)
  const national = country === 'CL' ? await comunas() : country === 'PE' ? distritos(own) : []
  const listed = join(known, corrections.applied(national))
  corrections.checkAllUsed()
  const all = join(withAccents(listed.places), readWritten(SOURCES + country))
  return { places: all.places, doubts: [...listed.doubts, ...all.doubts] }
}

function describe({ written, known }: Doubt): string {
  return `  ${written.nombre} (${written.region}): ${written.departamento}, or ${known.id ?? known.fuente} in ${known.departamento}?`
}
