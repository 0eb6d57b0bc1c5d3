import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Papa from 'papaparse'
import type { Modo } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import { columnsOf, toCells } from './csv-members.ts'
import type { Kind } from './kind.ts'
import { KIND_NAMES, KINDS, type KindName } from './kinds.ts'
import type { RecordFormat } from './read-file.ts'

const PAGE = 5_000
const PRIVATE_FILE = 0o600

interface ExportOptions {
  folder: string
  format: RecordFormat
  modo: Modo
  agenciaId: number | undefined
  timeZone: string
  onProgress(kind: KindName, rows: number, done: boolean): void
  signal: AbortSignal
}

/** Writes a file for each kind, as `rodado import` reads it. Returns how many records each has. */
export async function exportAll(db: Db, options: ExportOptions): Promise<Record<KindName, number>> {
  await mkdir(options.folder, { recursive: true })
  const counts: Partial<Record<KindName, number>> = {}
  for (const name of KIND_NAMES) counts[name] = await exportKind(db, name, options)
  return counts as Record<KindName, number>
}

async function exportKind(db: Db, name: KindName, options: ExportOptions): Promise<number> {
  const kind = KINDS[name] as Kind
  const columns = columnsOf(kind.schema)
  let rows = 0
  async function* chunks() {
    if (options.format === 'csv') yield `\uFEFF${Papa.unparse([columns])}\r\n`
    for (let after: unknown; ; ) {
      const { records, next } = await kind.read(db, { ...options, after, limit: PAGE })
      if (records.length === 0) break
      rows += records.length
      options.onProgress(name, rows, false)
      yield options.format === 'csv'
        ? csv(columns, records)
        : records.map((each) => `${JSON.stringify(each)}\n`).join('')
      after = next
    }
  }
  const path = join(options.folder, `${name}.${options.format}`)
  // Personal data, so only for the user who runs the command: not into an existing file, which others might read. A file
  // with its final name is complete.
  const draft = `${path}.${process.pid}.partial`
  await rm(draft, { force: true })
  const file = createWriteStream(draft, { flags: 'wx', mode: PRIVATE_FILE, flush: true })
  try {
    await pipeline(Readable.from(chunks()), file, { signal: options.signal })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  options.onProgress(name, rows, true)
  return rows
}

/** Text that a spreadsheet would compute gets an apostrophe, which the import removes. */
const csv = (columns: readonly string[], records: object[]): string =>
  `${Papa.unparse(
    records.map((record) => toCells(columns, record)),
    { escapeFormulae: true },
  )}\r\n`
