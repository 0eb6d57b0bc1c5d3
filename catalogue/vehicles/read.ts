import { fileURLToPath } from 'node:url'
import { fold } from '../../src/catalogue/text.ts'
import { readTsv, readTsvIfAny } from '../tsv.ts'
import type { Declared, Meaning } from './id-conflicts.ts'

const SOURCES = fileURLToPath(new URL('../sources/vehicles/', import.meta.url))
const DATA = fileURLToPath(new URL('../../src/catalogue/data/', import.meta.url))

export const WRITTEN_MODEL = ['marca', 'nombre', 'carrocerias', 'nuevos', 'aliases'] as const
export const WRITTEN_VERSION = [
  'marca',
  'modelo',
  'nombre',
  'desde',
  'hasta',
  'carroceria',
  'potencia',
  'cilindrada',
  'propulsion',
  'transmision',
] as const
export const MODEL = ['id', 'marca', 'nombre', 'codename', 'carrocerias', 'nuevos', 'aliases', 'fuente'] as const
export const VERSION = [
  'id',
  'modelo',
  'nombre',
  'desde',
  'hasta',
  'carroceria',
  'potencia',
  'cilindrada',
  'propulsion',
  'transmision',
  'fuente',
] as const
const DECLARED = ['archivo', 'id', 'nombre', 'motivo'] as const

export type ModelRow = Record<(typeof MODEL)[number], string>
export type VersionRow = Record<(typeof VERSION)[number], string>

export const MODELS_FILE = `${DATA}modelos.tsv`
export const versionsFile = (country: string): string => `${DATA}${country}/versiones.tsv`

/** The hand-written files: no ids, makes and body styles by name. */
export const readWrittenModels = () => readTsv(`${SOURCES}modelos.tsv`, WRITTEN_MODEL)
export const readWrittenVersions = (country: string) => readTsv(`${SOURCES}versiones-${country}.tsv`, WRITTEN_VERSION)

/** The files shipped before. */
export const readModels = (): ModelRow[] => readTsvIfAny(MODELS_FILE, MODEL)
export const readVersions = (country: string): VersionRow[] => readTsvIfAny(versionsFile(country), VERSION)

/** A name for comparison: accents and case may be corrected without a declaration. */
export const keyOf = (owner: string, nombre: string): string => `${owner} ${fold(nombre)}`

export const modelMeanings = (rows: readonly ModelRow[]): Meaning[] =>
  rows.map(({ id, marca, nombre }) => ({ id: Number(id), key: keyOf(marca, nombre) }))

export const versionMeanings = (rows: readonly VersionRow[]): Meaning[] =>
  rows.map(({ id, modelo, nombre }) => ({ id: Number(id), key: keyOf(modelo, nombre) }))

/** Ids by name: makes by name, body styles by codename. */
export function idsOf(file: 'marcas.tsv' | 'carrocerias.tsv', by: 'nombre' | 'codenames'): Map<string, string> {
  const columns = file === 'marcas.tsv' ? MAKE : BODY
  const rows = readTsv<string>(`${DATA}${file}`, columns)
  return new Map(rows.map((row) => [(row[by] ?? '').split('|')[0] ?? '', row.id ?? '']))
}

const MAKE = ['id', 'nombre', 'codenames', 'nuevos', 'aliases', 'afines']
const BODY = ['id', 'nombre', 'codenames', 'aliases', 'hints']

/** Renames and retirements of one file; `owner` is the part of an id's key that stays. */
export function readDeclared(file: string, ledger: readonly Meaning[]): Declared {
  const rowsOf = (name: string) => readTsv(`${SOURCES}${name}`, DECLARED).filter(({ archivo }) => archivo === file)
  const owners = new Map(ledger.map(({ id, key }) => [id, key.slice(0, key.indexOf(' '))]))
  return {
    renamed: new Map(
      rowsOf('renames.tsv').map(({ id, nombre }) => [Number(id), keyOf(owners.get(Number(id)) ?? '', nombre)]),
    ),
    retired: new Set(rowsOf('retired.tsv').map(({ id }) => Number(id))),
  }
}
