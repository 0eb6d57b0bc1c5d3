import { codenameOf, fold } from '../../src/catalogue/text.ts'
import { listed } from '../tsv.ts'
import { type Declared, idConflicts, type Meaning, number } from './id-conflicts.ts'
import {
  keyOf,
  type ModelRow,
  modelMeanings,
  type VersionRow,
  type WRITTEN_MODEL,
  type WRITTEN_VERSION,
} from './read.ts'

/** Six digits: no model has such a name, so a number that partners send as a model ("208") is never an id. */
export const FIRST_ID = 100_001
const SOURCE = 'rodado' // we wrote all of it

type WrittenModel = Record<(typeof WRITTEN_MODEL)[number], string>
type WrittenVersion = Record<(typeof WRITTEN_VERSION)[number], string>

interface Composed<Row> {
  readonly rows: readonly Row[]
  /** Errors; nothing is written if there is any. */
  readonly faults: readonly string[]
}

/** The models with their ids, sorted by id, so that a new one is one added line. */
export function composeModels(
  written: readonly WrittenModel[],
  makes: ReadonlyMap<string, string>,
  bodies: ReadonlyMap<string, string>,
  ledger: readonly Meaning[],
  declared: Declared,
): Composed<ModelRow> {
  const faults: string[] = []
  const known = (map: ReadonlyMap<string, string>, name: string, where: string) => {
    const id = map.get(name)
    if (id === undefined) faults.push(`${where}: ${name} is not known`)
    return id ?? ''
  }
  const makeOf = written.map(({ marca, nombre }) => known(makes, marca, nombre))
  const keys = written.map(({ nombre }, at) => keyOf(makeOf[at] as string, nombre))
  const ids = number(keys, ledger, declared, FIRST_ID)
  const rows = written.map((model, at) => ({
    id: String(ids[at]),
    marca: makeOf[at] as string,
    nombre: model.nombre,
    codename: codenameOf(model.nombre),
    carrocerias: listed(model.carrocerias)
      .map((body) => known(bodies, body, `${model.marca} ${model.nombre}`))
      .join('|'),
    nuevos: model.nuevos,
    aliases: aliasesOf(model).join('|'),
    fuente: SOURCE,
  }))
  faults.push(...twice(keys), ...idConflicts(ledger, modelMeanings(rows), declared))
  return { rows: byId(rows), faults }
}

/** The versions of a country with their ids. */
export function composeVersions(
  written: readonly WrittenVersion[],
  models: readonly ModelRow[],
  makes: ReadonlyMap<string, string>,
  bodies: ReadonlyMap<string, string>,
  ledger: readonly Meaning[],
  declared: Declared,
): Composed<VersionRow> {
  const modelIds = new Map(models.map(({ id, marca, nombre }) => [keyOf(marca, nombre), id]))
  const faults: string[] = []
  const owners = written.map(({ marca, modelo }) => {
    const id = modelIds.get(keyOf(makes.get(marca) ?? '', modelo))
    if (id === undefined) faults.push(`${marca} ${modelo} is no model of ours`)
    return id ?? ''
  })
  const keys = written.map(({ nombre }, at) => keyOf(owners[at] as string, nombre))
  const ids = number(keys, ledger, declared, FIRST_ID)
  const rows = written.map(({ marca: _marca, modelo: _modelo, ...facts }, at) => ({
    ...facts,
    id: String(ids[at]),
    modelo: owners[at] as string,
    carroceria: bodies.get(facts.carroceria) ?? '',
    fuente: SOURCE,
  }))
  const now = rows.map(({ id }, at) => ({ id: Number(id), key: keys[at] as string }))
  faults.push(...twice(keys), ...idConflicts(ledger, now, declared))
  return { rows: byId(rows), faults }
}

/** Each alias once: the matcher ignores punctuation and spaces. */
function aliasesOf({ nombre, aliases }: WrittenModel): string[] {
  const plain = (text: string) => fold(text).replace(/[^a-z0-9]/g, '')
  const seen = new Set([plain(nombre)])
  return listed(aliases).filter((alias) => !seen.has(plain(alias)) && seen.add(plain(alias)))
}

function twice(keys: readonly string[]): string[] {
  const seen = new Set<string>()
  return keys.filter((key) => seen.has(key) || !seen.add(key)).map((key) => `${key} is written twice`)
}

const byId = <Row extends { id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(a.id) - Number(b.id))
