import Papa from 'papaparse'
import { UsageError } from '../command.ts'

const MAX_BYTES = 64 * 1_048_576
const BYTE_ORDER_MARK = '\uFEFF'

export interface CsvTable {
  heading: string[]
  rows: string[][]
  delimiter: string
  /** Whether a program that guesses the encoding, such as Excel, will read the result. */
  hasMark: boolean
}

/** Reads a table with a heading; its delimiter and encoding are those that the spreadsheet chose. */
export function readCsv(bytes: Buffer): CsvTable {
  if (bytes.length > MAX_BYTES) throw new UsageError('the file has over 64 MiB: split it.')
  const { text, isUtf8 } = decode(bytes)
  const hasMark = text.startsWith(BYTE_ORDER_MARK) || !isUtf8
  const { data, errors, meta } = Papa.parse<string[]>(text.replace(BYTE_ORDER_MARK, ''), { skipEmptyLines: 'greedy' })
  const fault = errors.find(({ type }) => type !== 'Delimiter')
  if (fault) throw new UsageError(`row ${(fault.row ?? 0) + 1} is not CSV: ${fault.message}.`)
  const [heading = [], ...rows] = data
  const long = rows.findIndex((row) => row.length > heading.length)
  if (long >= 0) throw new UsageError(`row ${long + 2} has more values than the heading has columns.`)
  return { heading, rows, delimiter: meta.delimiter, hasMark }
}

/** UTF-8, UTF-16 with a mark, or what Excel writes on Windows in Western languages. */
function decode(bytes: Buffer): { text: string; isUtf8: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), isUtf8: false }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isUtf8: false }
  }
}

/** Rows as lines of CSV. */
export const printCsv = (rows: string[][], delimiter: string): string =>
  rows.length === 0 ? '' : `${Papa.unparse(rows, { delimiter, newline: '\n' })}\n`

/** The first line of a file. */
export const printHeading = (heading: string[], { delimiter, hasMark }: CsvTable): string =>
  `${hasMark ? BYTE_ORDER_MARK : ''}${printCsv([heading], delimiter)}`
