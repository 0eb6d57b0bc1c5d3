import type { FastifyReply } from 'fastify'
import { t } from '../i18n/messages.tsx'
import type { Column } from './table.tsx'

/** A file with this many rows says at its end that it may be cut. */
export const MAX_CSV_ROWS = 10_000

/**
 * Sends rows as CSV: semicolons, because Excel expects them where a comma is the decimal sign, and a byte order mark,
 * by which it recognises UTF-8. Text that begins like a formula gets an apostrophe, also after a character that some
 * program may read as the end of a cell: strangers wrote it, and no spreadsheet must compute it.
 */
export function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): FastifyReply {
  const written = columns.filter(({ text, value }) => text ?? value)
  const lines = [
    written.map(({ head }) => cell(head)),
    ...rows.map((row) => written.map(({ text, value }) => cell((text ?? value)?.(row)))),
  ]
  if (rows.length >= MAX_CSV_ROWS) lines.push([cell(t('comun.csv.cut', { max: MAX_CSV_ROWS }))])
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
