import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { toTimestamp } from '../http/dates.ts'
import { t } from '../i18n/messages.tsx'
import type { Column, CsvValue } from './table.tsx'

/** A file with this many rows says at its end that it may be cut. */
export const MAX_CSV_ROWS = 10_000
/** Other requests are answered after each so many rows. */
const SLICE_ROWS = 500

/**
 * Sends rows as CSV: semicolons, because Excel expects them where a comma is the decimal sign, and a byte order mark,
 * by which it recognises UTF-8. Text that begins like a formula gets an apostrophe, also after a character that some
 * program may read as the end of a cell: strangers wrote it, and no spreadsheet must compute it. Moments are those of the
 * marketplace's zone, as on the pages and in their filters. `end` is a last line.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  timeZone: string,
  end?: string,
): Promise<FastifyReply> {
  const cell = (value: CsvValue | undefined) => quoted(value instanceof Date ? localSecond(value, timeZone) : value)
  const written = columns.filter(({ text, value }) => text ?? value)
  const lines = [written.map(({ head }) => cell(head)).join(';')]
  for (const [at, row] of rows.entries()) {
    if (at % SLICE_ROWS === SLICE_ROWS - 1) await setImmediate()
    lines.push(written.map(({ text, value }) => cell((text ?? value)?.(row))).join(';'))
  }
  if (rows.length >= MAX_CSV_ROWS) lines.push(cell(t('comun.csv.cut', { max: MAX_CSV_ROWS })))
  if (end !== undefined) lines.push(cell(end))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(`\uFEFF${lines.join('\r\n')}\r\n`)
}

const FORMULA = /(?<=^|[;,\t\r\n])(?=[=+\-@\t\r])/g

/** 2026-03-14 09:05:30, which spreadsheets read as a date. */
export const localSecond = (moment: Date, timeZone: string): string =>
  toTimestamp(moment, timeZone).slice(0, 19).replace('T', ' ')

function quoted(value: Exclude<CsvValue, Date> | undefined): string {
  if (value === null || value === undefined) return '""'
  if (typeof value === 'number') return `"${value}"`
  return `"${value.replace(FORMULA, "'").replaceAll('"', '""')}"`
}
