import type { FastifyReply } from 'fastify'
import type { Column } from './table.tsx'

/** No more rows than a spreadsheet opens without complaint. */
export const MOST_CSV_ROWS = 10_000

/**
 * A table as a file: comma-separated (RFC 4180) with a byte order mark, by which spreadsheets know that it is UTF-8.
 * What begins like a formula gets an apostrophe: it was written by strangers, and must not be computed.
 */
export function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): FastifyReply {
  const told = columns.filter((column) => column.text !== undefined)
  const lines = [told.map(({ head }) => cell(head)), ...rows.map((row) => told.map(({ text }) => cell(text?.(row))))]
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(`\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`)
}

const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

function cell(value: string | number | Date | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = value instanceof Date ? value.toISOString() : value
  const safe = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
