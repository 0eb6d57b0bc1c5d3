/**
 * Writes src/catalogue/data/{country}/regiones.tsv and ciudades.tsv from the packages and from sources/.
 * Nothing is written when an id would change its meaning: the broken promises are listed instead.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withAccents } from './accents.ts'
import { withAliases } from './aliases.ts'
import { readCorrections, readUnwanted } from './corrections.ts'
import { withoutDoubles } from './doubles.ts'
import { readGeonames } from './geonames.ts'
import { type Doubt, join } from './join.ts'
import { brokenPromises, FIRST_OWN_ID, number } from './ledger.ts'
import { withMunicipios } from './municipios.ts'
import { readOfficial } from './official.ts'
import { readLedger, readRenames, readRetired, writeCities, writeRegions } from './output.ts'
import type { Place } from './place.ts'
import { checkAgainstIso, type Region, readRegions } from './regions.ts'
import { selected } from './select.ts'
import { readTopUp } from './topup.ts'
import { readWritten } from './written.ts'

// In the order in which they came, for ids are given in that order.
const COUNTRIES = 'AR MX CL CO PE UY EC PY BO VE CR PA GT HN NI DO SV'.split(' ')
const SOURCES = fileURLToPath(new URL('./sources/', import.meta.url))
const DATA = fileURLToPath(new URL('../src/catalogue/data/', import.meta.url))

const { values: options } = parseArgs({
  options: {
    /** Countries that have no ledger yet; without it a lost file would quietly be numbered afresh. */
    new: { type: 'string', multiple: true, default: [] },
    /** Lists the pairs of namesakes that somebody should judge. */
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
  console.log(`${country}: ${own.length} regions, ${numbered.length} places, ${doubts.length} doubts`)
  if (options.doubts) for (const doubt of doubts) console.log(describe(doubt))
}

/** All places of a country, each once: GeoNames corrected, under the national list, under what we wrote. */
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
