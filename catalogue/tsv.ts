import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Reads a tab-separated file as objects; a wrong header or row width is an error with its line. */
export function readTsv<Column extends string>(path: string, columns: readonly Column[]): Record<Column, string>[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').replaceAll('\r', '').trimEnd().split('\n')
  if (header !== columns.join('\t'))
    throw new Error(`${path}: the header is "${header}", expected "${columns.join('\t')}"`)
  return lines.map((line, index) => {
    const cells = line.split('\t')
    // Editors strip trailing tabs: a short row has empty last columns, a long one is a mistake.
    if (cells.length > columns.length || line.trim() === '')
      throw new Error(`${path}:${index + 2}: ${cells.length} cells`)
    return Object.fromEntries(columns.map((column, at) => [column, (cells[at] ?? '').trim()])) as Record<Column, string>
  })
}

/** As `readTsv`, but a missing file gives no rows. */
export function readTsvIfAny<Column extends string>(
  path: string,
  columns: readonly Column[],
): Record<Column, string>[] {
  return existsSync(path) ? readTsv(path, columns) : []
}

/** Writes rows under a header, one line each, in the order given. */
export function writeTsv<Column extends string>(
  path: string,
  columns: readonly Column[],
  rows: readonly Record<Column, string>[],
): void {
  const lines = rows.map((row) => columns.map((column) => row[column].replace(/[\t\n]/g, ' ')).join('\t'))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${[columns.join('\t'), ...lines].join('\n')}\n`)
}

/** The items of a list cell: `a|b|c`. */
export const listed = (cell: string): string[] =>
  cell
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '')
