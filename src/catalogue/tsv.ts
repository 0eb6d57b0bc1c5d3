import { readFileSync } from 'node:fs'

/** One line of a data file: its cells by column, its file and number so that a fault can be named. */
export interface Row {
  readonly file: string
  readonly line: number
  cell(column: string): string
  list(column: string): string[]
}

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

  const position = new Map(header.map((name, index) => [name, index]))
  const rows: Row[] = []
  for (let index = 1; index < lines.length; index++) {
    const text = lines[index]
    if (!text) continue
    const cells = text.split('\t')
    if (cells.length > header.length) {
      faults.push(`${file}:${index + 1}: ${cells.length} cells, but the header names ${header.length} columns`)
      continue
    }
    rows.push(new TableRow(file, index + 1, cells, position))
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

class TableRow implements Row {
  readonly file: string
  readonly line: number
  readonly #cells: string[]
  readonly #position: Map<string, number>

  constructor(file: string, line: number, cells: string[], position: Map<string, number>) {
    this.file = file
    this.line = line
    this.#cells = cells
    this.#position = position
  }

  cell(column: string): string {
    const index = this.#position.get(column)
    return index === undefined ? '' : (this.#cells[index] ?? '').trim()
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
