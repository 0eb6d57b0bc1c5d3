/**
 * Writes src/catalogue/data/modelos.tsv and {country}/versiones.tsv from sources/vehicles. If an id would change its meaning, it
 * lists the conflicts and writes nothing.
 */
import { writeTsv } from '../tsv.ts'
import { composeModels, composeVersions } from './compose.ts'
import {
  idsOf,
  MODEL,
  MODELS_FILE,
  modelMeanings,
  readDeclared,
  readModels,
  readVersions,
  readWrittenModels,
  readWrittenVersions,
  VERSION,
  versionMeanings,
  versionsFile,
} from './read.ts'

const COUNTRY = 'AR'
const makes = idsOf('marcas.tsv', 'nombre')
const bodies = idsOf('carrocerias.tsv', 'codenames')

const models = modelMeanings(readModels())
const composed = composeModels(readWrittenModels(), makes, bodies, models, readDeclared('modelos', models))
const versions = versionMeanings(readVersions(COUNTRY))
const declared = readDeclared(`versiones-${COUNTRY}`, versions)
const trims = composeVersions(readWrittenVersions(COUNTRY), composed.rows, makes, bodies, versions, declared)

const faults = [...composed.faults, ...trims.faults]
if (faults.length > 0) {
  console.error(`Nothing is written; what an id no longer means is declared in renames.tsv or retired.tsv:`)
  for (const fault of faults) console.error(`  ${fault}`)
  process.exit(1)
}
writeTsv(MODELS_FILE, MODEL, composed.rows)
writeTsv(versionsFile(COUNTRY), VERSION, trims.rows)
console.log(`${composed.rows.length} models, ${trims.rows.length} versions of ${COUNTRY}`)
