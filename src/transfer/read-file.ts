import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { shapeProblem } from '../http/json.ts'
import { orUndefined } from '../memoize.ts'

/** A record of a file: its number from 1, and its value, or why it cannot be read. */
export type FileRecord = { fila: number } & ({ value: unknown } | { unreadable: string })

export type RecordFormat = 'csv' | 'ndjson'

const SAMPLE_BYTES = 1_048_576
/** Of one record: larger than any that could be valid. */
const MAX_RECORD_CHARACTERS = 1_048_576
/** More than the streams hold before a record comes out of the parser. */
const READ_AHEAD_CHARACTERS = 1_048_576
const UTF16 = Buffer.from([0xff, 0xfe])

export const formatOf = (path: string): RecordFormat | undefined =>
  ({ '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' })[extname(path).toLowerCase()] as RecordFormat | undefined

/** The records of a CSV or NDJSON file, read as they are needed. */
export async function* readRecords(path: string, format: RecordFormat): AsyncGenerator<FileRecord> {
  const text = decoded(path, await encodingOf(path))
  if (format === 'csv') yield* csvRecords(text)
  else yield* lineRecords(text)
}

/** UTF-8, unless the beginning is none: spreadsheets in Spanish write Windows-1252. */
async function encodingOf(path: string): Promise<'utf-8' | 'utf-16le' | 'windows-1252'> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SAMPLE_BYTES) })
    const sample = buffer.subarray(0, bytesRead)
    if (sample.subarray(0, 2).equals(UTF16)) return 'utf-16le'
    return isUtf8(sample) ? 'utf-8' : 'windows-1252'
  } finally {
    await file.close()
  }
}

/** As part of a stream: the sample may end within a character. */
const isUtf8 = (sample: Buffer): boolean =>
  orUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })) !== undefined

async function* decoded(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new Error(`${path} begins as ${encoding} and has other bytes later. Convert it to UTF-8 and try again.`)
  }
}

async function* lineRecords(text: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let rest = ''
  let fila = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim()) yield parseLine(line, ++fila)
    if (rest.length > MAX_RECORD_CHARACTERS) throw tooLong(fila + 1)
  }
  if (rest.trim()) yield parseLine(rest, ++fila)
}

function parseLine(line: string, fila: number): FileRecord {
  if (shapeProblem(line, 'La fila')) return { fila, unreadable: 'Tiene demasiados niveles anidados.' }
  try {
    return { fila, value: JSON.parse(line) }
  } catch {
    return { fila, unreadable: 'No es JSON.' }
  }
}

const tooLong = (fila: number) =>
  new Error(`Record ${fila} is longer than ${MAX_RECORD_CHARACTERS} characters: is a quote not closed?`)

/** The separator is found by the first lines. Cells are texts by the names of the header. */
async function* csvRecords(text: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, {
    delimiter: (lines) => Papa.parse(lines, { preview: 10, skipEmptyLines: 'greedy' }).meta.delimiter,
    fastMode: false, // it splits the rest of the chunk again each time that it goes on after a pause
  })
  let header: string[] | undefined
  let fila = 0
  let sinceRecord = 0
  /** The parser keeps an unfinished record, and parses all of it again with each chunk. */
  async function* bounded(): AsyncGenerator<string> {
    for await (const chunk of text) {
      sinceRecord += chunk.length
      if (sinceRecord > MAX_RECORD_CHARACTERS + READ_AHEAD_CHARACTERS) throw tooLong(fila + 1)
      yield chunk
    }
  }
  const source = Readable.from(bounded())
  source.on('error', (error) => parser.destroy(error))
  for await (const row of source.pipe(parser)) {
    sinceRecord = 0
    const cells = row as string[]
    if (cells.every((cell) => cell.trim() === '')) continue // spreadsheets write many
    if (cells.reduce((sum, cell) => sum + cell.length, 0) > MAX_RECORD_CHARACTERS) throw tooLong(fila + 1)
    if (!header) {
      header = cells.map((cell) => cell.trim())
      continue
    }
    fila++
    if (cells.length > header.length)
      yield { fila, unreadable: `Tiene ${cells.length} columnas, y el encabezado, ${header.length}.` }
    else yield { fila, value: Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])) }
  }
}
