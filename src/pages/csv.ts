import type { FastifyReply } from 'fastify'
import type { Column } from './table.tsx'

/** No more rows than a spreadsheet opens without complaint; a file that has as many says so at its end. */
export const MOST_CSV_ROWS = 10_000

const CUT =
  'El archivo llega hasta aquí: tiene 10.000 filas, que es el máximo. Si hay más, bájelas con filtros más estrechos.'

/**
 * A table as a file: with semicolons, which is what Excel separates by where a comma is the decimal sign, and a byte
 * order mark, by which spreadsheets know that it is UTF-8. What begins like a formula gets an apostrophe, also after
 * what some program may take for the end of a cell: it was written by strangers, and must not be computed.
 */
export function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): FastifyReply {
  const told = columns.filter((column) => column.text !== undefined)
  const lines = [told.map(({ head }) => cell(head)), ...rows.map((row) => told.map(({ text }) => cell(text?.(row))))]
  if (rows.length >= MOST_CSV_ROWS) lines.push([cell(CUT)])
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(`\uFEFF${lines.map((line) => line.join(';')).join('\r\n')}\r\n`)
}

const FORMULA = /(?<=^|[;,\t\r\n])(?=[=+\-@\t\r])/g

function cell(value: string | number | Date | null | undefined): string {
  if (value === null || value === undefined) return '""'
  if (typeof value === 'number') return `"${value}"`
  const text = value instanceof Date ? value.toISOString() : value
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`
}
