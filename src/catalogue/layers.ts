import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alphabeticalKey } from './text.ts'
import { type Columns, type Row, readTable } from './tsv.ts'

const SHIPPED = fileURLToPath(new URL('./data/', import.meta.url))

/** Ids of an operator's own entries begin here, so that ours can grow without ever meeting them (docs/decisions/catalogues.md). */
const OPERATOR_IDS_FROM = 1_000_000_000
const LAST_ID = 2_147_483_647 // int32, the form of an id in the specification

const columns = (required: string, optional = ''): Columns => ({
  required: required.split(' '),
  optional: optional.split(' ').filter(Boolean),
})

const ENTRY_FILES = {
  'carrocerias.tsv': columns('id nombre', 'codenames aliases hints'),
  'colores.tsv': columns('id nombre', 'html aliases hints'),
  'marcas.tsv': columns('id nombre', 'codenames nuevos aliases hints afines'),
  'modelos.tsv': columns('id marca nombre', 'codename carrocerias nuevos aliases fuente'),
  'versiones.tsv': columns(
    'id modelo nombre',
    'desde hasta carroceria potencia cilindrada propulsion transmision fuente',
  ),
  'regiones.tsv': columns('id iso nombre', 'aliases'),
  'ciudades.tsv': columns('id nombre region', 'departamento poblacion lat lon aliases fuente'),
}

const KNOWLEDGE_FILES = {
  'abbreviations.tsv': columns('kind written means'),
  'noise.tsv': columns('kind role words'),
  'region-aliases.tsv': columns('iso aliases'),
  'city-aliases.tsv': columns('iso nombre aliases'),
}

/** Places, and trims with their engines, differ from country to country; a model is called the same. */
const BY_COUNTRY = new Set(['regiones.tsv', 'ciudades.tsv', 'versiones.tsv', 'region-aliases.tsv', 'city-aliases.tsv'])

type EntryFile = keyof typeof ENTRY_FILES
type KnowledgeFile = keyof typeof KNOWLEDGE_FILES

/** Our data with an operator's folder (CATALOGUE_DIR) laid over it; collects every fault instead of stopping at one. */
export class Layers {
  readonly country: string
  readonly faults: string[] = []
  readonly #operatorDir: string | undefined

  constructor(country: string, operatorDir?: string) {
    this.country = country
    this.#operatorDir = operatorDir
    if (operatorDir !== undefined) this.#checkFolder(operatorDir)
  }

  /** By name, in Spanish order. An operator's row with a known id replaces ours. */
  entries<E extends { id: number; nombre: string }>(file: EntryFile, read: (id: number, row: Row) => E): readonly E[] {
    const rows = this.#byId(this.#rows(SHIPPED, file, ENTRY_FILES[file]), () => true, 'positive')
    if (this.#operatorDir !== undefined) {
      const mayUse = (id: number) => rows.has(id) || id >= OPERATOR_IDS_FROM
      const own = this.#rows(this.#operatorDir, file, ENTRY_FILES[file])
      for (const [id, row] of this.#byId(own, mayUse, `an id of ours, or from ${OPERATOR_IDS_FROM} up`))
        rows.set(id, row)
    }
    const keyed = Array.from(rows, ([id, row]) => ({ key: alphabeticalKey(row.cell('nombre')), entry: read(id, row) }))
    keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.id - b.entry.id))
    return keyed.map(({ entry }) => entry)
  }

  /** Rows of knowledge: an operator's are added to ours. */
  knowledge(file: KnowledgeFile): Row[] {
    const shipped = this.#rows(SHIPPED, file, KNOWLEDGE_FILES[file])
    if (this.#operatorDir === undefined) return shipped
    return [...shipped, ...this.#rows(this.#operatorDir, file, KNOWLEDGE_FILES[file])]
  }

  #rows(dir: string, file: string, columns: Columns): Row[] {
    const name = BY_COUNTRY.has(file) ? join(this.country, file) : file
    const path = join(dir, name)
    if (!existsSync(path)) return []
    return readTable(path, dir === SHIPPED ? name : path, columns, this.faults)
  }

  #byId(rows: readonly Row[], mayUse: (id: number) => boolean, allowed: string): Map<number, Row> {
    const byId = new Map<number, Row>()
    for (const row of rows) {
      const text = row.cell('id')
      const id = Number(text)
      if (!/^[1-9][0-9]*$/.test(text) || id > LAST_ID || !mayUse(id))
        row.fault(`id ${text || '(empty)'} is not allowed; allowed: ${allowed}`)
      else if (byId.has(id)) row.fault(`id ${id} is given twice in this file`)
      else if (!row.cell('nombre')) row.fault('nombre is empty')
      else byId.set(id, row)
    }
    return byId
  }

  /** A misspelt file name would be silently ignored: name it instead. */
  #checkFolder(dir: string): void {
    if (!existsSync(dir) || !statSync(dir).isDirectory()) {
      this.faults.push(`CATALOGUE_DIR ${dir}: no such folder`)
      return
    }
    const names = [...Object.keys(ENTRY_FILES), ...Object.keys(KNOWLEDGE_FILES)]
    const top = names.filter((name) => !BY_COUNTRY.has(name))
    this.#checkNames(dir, top)
    const countryDir = join(dir, this.country)
    if (existsSync(countryDir)) this.#checkNames(countryDir, [...BY_COUNTRY])
  }

  #checkNames(dir: string, allowed: string[]): void {
    for (const name of readdirSync(dir)) {
      if (name.endsWith('.tsv') && !allowed.includes(name)) {
        this.faults.push(`${join(dir, name)}: unknown file; allowed here: ${allowed.join(', ')}`)
      }
    }
  }
}
