import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { MAX_BODY_BYTES, type Rows } from './body.ts'
import {
  BACKSLASH,
  brokenJson,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  isUnstorable,
  notUtf8,
  OPEN_LIST,
  OPEN_OBJECT,
  parseText,
  QUOTE,
  shapeProblem,
  unstorable,
} from './json.ts'
import { fault, invalid, Problem } from './problems.ts'

/** As much as a request that sends the same record alone. */
export const MAX_ROW_BYTES = MAX_BODY_BYTES
/** Values in a row, nested ones included: bounds the memory of parsing. The largest listing we send has 250. */
const MAX_ROW_VALUES = 1_000

const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Rows are parsed one by one, so that a hostile body never becomes one huge value. Stops one row after `most`. */
export function splitRows({ bytes, isLines }: Rows, most: number): Buffer[] {
  if (!isUtf8(bytes)) throw notUtf8()
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  const text = hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
  return isLines ? splitLines(text, most) : splitList(text, most)
}

function splitLines(bytes: Buffer, most: number): Buffer[] {
  const rows: Buffer[] = []
  let start = skipBlank(bytes, 0)
  while (start < bytes.length && rows.length <= most) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    rows.push(bytes.subarray(start, end))
    start = skipBlank(bytes, end)
  }
  return rows
}

/** Checks only the commas and brackets of the list itself; JSON.parse checks each row. */
function splitList(bytes: Buffer, most: number): Buffer[] {
  const first = skipBlank(bytes, 0)
  if (bytes[first] !== OPEN_LIST) throw invalid({ _: [fault('tipo', 'Debe ser una lista, o una fila por línea.')] })
  const rows: Buffer[] = []
  let start = first + 1
  let depth = 1
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
    else if (byte === COMMA && depth === 1) {
      rows.push(bytes.subarray(start, at))
      if (rows.length > most) return rows
      start = at + 1
    } else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth === 0) {
      if (byte !== CLOSE_LIST || skipBlank(bytes, at + 1) < bytes.length) break
      const isEmpty = rows.length === 0 && skipBlank(bytes, start) === at
      return isEmpty ? [] : [...rows, bytes.subarray(start, at)]
    }
  }
  throw brokenJson('El cuerpo')
}

/** The value of a row, or its problem, which affects no other row. Broken JSON in a list is thrown: it refuses the body. */
export function parseRow(row: Buffer, fila: number, { isLines }: Rows): unknown {
  if (row.length > MAX_ROW_BYTES) return tooLong()
  const text = row.toString()
  const problem = shapeProblem(text, 'La fila', MAX_ROW_VALUES)
  if (problem) return problem
  const value = isLines ? parseLine(text) : parseText(text, `La fila ${fila} de la lista`)
  return !(value instanceof Problem) && isUnstorable(text, value) ? unstorable('La fila') : value
}

const tooLong = () => invalid({ _: [fault('muy-largo', `La fila puede tener hasta ${MAX_ROW_BYTES} bytes.`)] })

function parseLine(text: string): unknown {
  try {
    return parseText(text, 'La línea')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The index of the closing quote of the string at `start`; the length if there is none. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}

function skipBlank(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === SPACE || bytes[at] === LINE_FEED || bytes[at] === RETURN || bytes[at] === TAB) at++
  return at
}

const ROWS_PER_TURN = 10

/** Maps rows and lets other requests run in between, since a row may take milliseconds. */
export async function mapRows<Row, Result>(rows: readonly Row[], map: (row: Row, index: number) => Result) {
  const results: Result[] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % ROWS_PER_TURN === 0) await setImmediate()
    results.push(map(row, index))
  }
  return results
}
