import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { isUnstorable } from '../http/json.ts'
import { fault } from '../http/problems.ts'
import { bodyFaults } from '../http/validate.ts'
import { Faults } from '../resources/publicaciones/faults.ts'
import { isUnavailable } from '../store/circuit-breaker.ts'
import type { Db } from '../store/db.ts'
import { fromCells } from './csv-members.ts'
import type { Kind, Row, TransferContext } from './kind.ts'
import { KINDS, type KindName } from './kinds.ts'
import { type FileRecord, type RecordFormat, readRecords } from './read-file.ts'

const BATCH = 1_000
const FINGERPRINT_BYTES = 1_048_576
/** Between attempts while the database is away; the last is repeated. */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 20_000]
/** An hour of the last. */
const MAX_RETRIES = 180

export interface ImportOptions {
  kind: KindName
  path: string
  format: RecordFormat
  /** Only says what would happen. */
  simulate: boolean
  onProgress(progress: ImportResult): void
  /** `continued` if an interrupted import of this file may have rejected others. */
  onRejected(rows: Row<unknown>[], continued: boolean): Promise<void>
  onUnavailable(error: Error): void
  signal: AbortSignal
}

export interface ImportResult {
  /** Records read. */
  rows: number
  created: number
  /** They exist already, and are unchanged. */
  existing: number
  rejected: number
  /** Records that an interrupted import of this file had done. */
  resumedAfter: number
}

/** Thrown to undo the transaction of a simulation. */
class Simulated extends Error {}

/**
 * Imports a file in batches, each in a transaction together with its position. An interrupted import continues there,
 * and what exists is never written again.
 */
export async function importFile(context: TransferContext, options: ImportOptions): Promise<ImportResult> {
  const { path, format, simulate } = options
  const kind = KINDS[options.kind] as Kind<unknown>
  const name = `import ${await fingerprint(path, [options.kind, context.modo, context.app?.appKey ?? ''].join(' '))}`
  const resumedAfter = simulate ? 0 : await positionOf(context.store, name)
  const total: ImportResult = { rows: resumedAfter, created: 0, existing: 0, rejected: 0, resumedAfter }

  async function write(rows: Row<unknown>[], last: number): Promise<void> {
    const valid = rows.filter(({ faults }) => !faults.any)
    const created = await retry(options, () => writeBatch(context, kind, valid, { simulate, name, last }))
    const rejected = rows.filter(({ faults }) => faults.any)
    if (rejected.length > 0) await options.onRejected(rejected, resumedAfter > 0)
    total.rows = last
    total.created += created
    total.rejected += rejected.length
    total.existing += rows.length - rejected.length - created
    options.onProgress(total)
  }

  // While one batch is written, the next is read and validated.
  let writing: Promise<void> = Promise.resolve()
  for await (const batch of batches(readRecords(path, format), resumedAfter)) {
    const rows = batch.map((record) => check(kind, format, record))
    await writing
    if (options.signal.aborted) break
    writing = write(rows, batch.at(-1)?.fila ?? 0)
    writing.catch(() => undefined) // reported when it is awaited
  }
  await writing
  if (!simulate && !options.signal.aborted) await context.store.query(sql`delete from settings where name = ${name}`)
  return total
}

async function* batches(records: AsyncIterable<FileRecord>, after: number): AsyncGenerator<FileRecord[]> {
  let batch: FileRecord[] = []
  for await (const record of records) {
    if (record.fila <= after) continue
    batch.push(record)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function check(kind: Kind<unknown>, format: RecordFormat, record: FileRecord): Row<unknown> {
  const faults = new Faults()
  if ('unreadable' in record) {
    faults.add('_', fault('formato', record.unreadable))
    return { fila: record.fila, body: undefined, faults }
  }
  const body = format === 'csv' ? fromCells(kind.schema, record.value as Record<string, string>) : record.value
  kind.normalize?.(body)
  faults.addAll(bodyFaults(kind.schema, body))
  // After the schema, which bounds the depth for JSON.stringify.
  if (!faults.any && isUnstorable(JSON.stringify(body), body))
    faults.add('_', fault('caracter-no-admitido', 'Contiene el carácter NUL o un carácter incompleto.'))
  return { fila: record.fila, body, faults }
}

interface BatchOptions {
  simulate: boolean
  /** Where the position is stored. */
  name: string
  last: number
}

/** How many rows were created. A row may get further faults; those of an earlier attempt are removed. */
async function writeBatch(
  context: TransferContext,
  kind: Kind<unknown>,
  rows: Row<unknown>[],
  { simulate, name, last }: BatchOptions,
): Promise<number> {
  for (const row of rows) row.faults = new Faults()
  if (!simulate) await kind.prepare?.(context, rows)
  let created = 0
  try {
    await context.store.transaction(async (tx) => {
      created = (await kind.write(tx, context, rows)).created
      if (simulate) throw new Simulated()
      await tx.query(sql`
        insert into settings (name, value) values (${name}, ${String(last)})
        on conflict (name) do update set value = excluded.value`)
    })
  } catch (error) {
    if (!(error instanceof Simulated)) throw error
  }
  return created
}

/** Waits while the database is away: a batch whose commit was not seen may be written again without harm. */
async function retry<T>({ onUnavailable, signal }: ImportOptions, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || attempt === MAX_RETRIES || signal.aborted) throw error
      onUnavailable(error as Error)
      await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { signal })
    }
  }
}

/** Identifies a file by its size, time of change and beginning, for this kind, mode and app. */
async function fingerprint(path: string, purpose: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  const hash = createHash('sha256').update(`${purpose} ${size} ${mtimeMs} `)
  for await (const chunk of createReadStream(path, { end: FINGERPRINT_BYTES })) hash.update(chunk as Buffer)
  return hash.digest('hex').slice(0, 32)
}

async function positionOf(db: Db, name: string): Promise<number> {
  const [found] = await db.query<{ value: string }>(sql`select value from settings where name = ${name}`)
  return Number(found?.value ?? 0)
}
