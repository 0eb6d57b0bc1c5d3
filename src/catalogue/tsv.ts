import { readFileSync } from 'node:fs'

export interface Columns {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** Reads a tab-separated file with a header line; a wrong header or a ragged line becomes a fault, not an exception. */
export function readTable(path: string, file: string, columns: Columns, faults: string[]): Row[] {
  const lines = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const header = (lines[0] ?? '').split('\t')
  if (!checkHeader(header, file, columns, faults)) return []

  const table = { file, faults, position: new Map(header.map((name, index) => [name, index])) }
  const rows: Row[] = []
  for (let index = 1; index < lines.length; index++) {
    const text = lines[index]
    if (!text) continue
    const cells = text.split('\t')
    const row = new Row(table, index + 1, cells)
    if (cells.length <= header.length) rows.push(row)
    else row.fault(`${cells.length} cells, but the header names ${header.length} columns`)
  }
  return rows
}

function checkHeader(header: string[], file: string, columns: Columns, faults: string[]): boolean {
  const allowed = [...columns.required, ...columns.optional]
  const missing = columns.required.filter((name) => !header.includes(name))
  const unknown = header.filter((name) => !allowed.includes(name))
  if (missing.length) faults.push(`${file}:1: missing column ${missing.join(', ')}`)
  if (unknown.length) faults.push(`${file}:1: unknown column ${unknown.join(', ')}; allowed: ${allowed.join(', ')}`)
  return missing.length === 0 && unknown.length === 0
}

interface Table {
  readonly file: string
  readonly faults: string[]
  readonly position: ReadonlyMap<string, number>
}

/** One line of a data file. A wrong cell is a fault with its file and line; all are thrown together at the end. */
export class Row {
  readonly #table: Table
  readonly #line: number
  readonly #cells: readonly string[]

  constructor(table: Table, line: number, cells: readonly string[]) {
    this.#table = table
    this.#line = line
    this.#cells = cells
  }

  fault(what: string): void {
    this.#table.faults.push(`${this.#table.file}:${this.#line}: ${what}`)
  }

  cell(column: string): string {
    const index = this.#table.position.get(column)
    return index === undefined ? '' : (this.#cells[index] ?? '').trim()
  }

  number(column: string): number | undefined {
    const text = this.cell(column)
    if (!text) return undefined
    const value = Number(text)
    if (!Number.isFinite(value)) this.fault(`${column} ${text} is not a number`)
    return value
  }

  choice<V extends string>(column: string, allowed: readonly V[]): V | undefined {
    const text = this.cell(column)
    const value = allowed.find((known) => known === text)
    if (!value) this.fault(`${column} ${text || '(empty)'} is not one of ${allowed.join(', ')}`)
    return value
  }

  reference<E>(column: string, entries: ReadonlyMap<string, E>, key = this.cell(column)): E {
    const entry = entries.get(key)
    if (!entry) this.fault(`${column} ${key || '(empty)'} is the id of none`)
    return entry as E // with a fault, nothing is loaded
  }

  list(column: string): string[] {
    const cell = this.cell(column)
    if (!cell) return []
    if (!cell.includes('|')) return [cell]
    return cell
      .split('|')
      .map((item) => item.trim())
      .filter(Boolean)
  }
}
