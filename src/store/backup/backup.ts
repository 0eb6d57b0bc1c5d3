import type pg from 'pg'
import { type Connection, withClient } from '../failover.ts'
import { MIGRATIONS_TABLE, noTimeoutsSql } from '../migrate.ts'
import { copyOut } from './copy.ts'
import { BackupFault, type Entry, type Manifest, type OnProgress, openWriter, type Writer } from './file.ts'
import { partitionsOf, qualified, quotedName, sequencesOf, tableNames, tablesInOrder } from './schema.ts'

const NEWLINE = 0x0a

interface BackupOptions {
  connection: Connection
  path: string
  /** Who can open it; without one it is not encrypted. */
  recipient?: string | undefined
  madeAt: Date
  version: string
  onProgress?: OnProgress
  /** Aborts it and leaves nothing behind. */
  signal?: AbortSignal
}

export type Backup = Awaited<ReturnType<typeof copyStore>>

/** Values and names mean the same, whatever the settings of this server or user. For a transaction: see docs/poolers.md. */
export const PLAIN_VALUES = `set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local lock_timeout = 0; set local search_path = public`

/** Copies the whole store into one file, as a snapshot, while others go on writing. Secrets stay sealed. */
export const backUp = (options: BackupOptions): Promise<Backup> =>
  withClient(options.connection, { application_name: 'rodado backup', keepAlive: true }, async (client) => {
    const writer = openWriter(options.path, options.recipient)
    try {
      return await copyStore(client, writer, options)
    } catch (error) {
      await writer.abandon()
      throw error
    }
  })

async function copyStore(client: pg.Client, writer: Writer, options: BackupOptions) {
  const { path, onProgress, signal } = options
  const names = await tableNames(client)
  if (!names.includes(MIGRATIONS_TABLE))
    throw new BackupFault('There is nothing to back up: Rodado was never started here.')
  const noTimeouts = await noTimeoutsSql(client)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`${noTimeouts}; ${PLAIN_VALUES}`)
  // Before the first query, which takes the snapshot: nobody may drop a partition in between.
  await client.query(`lock table ${names.map(qualified).join(', ')} in access share mode`)
  const manifest = await describe(client, options)
  await writeEntry(writer, { kind: 'manifest', manifest })
  const tables: Record<string, number> = {}
  for (const { name, columns } of await tablesInOrder(client)) {
    signal?.throwIfAborted()
    await writeEntry(writer, { kind: 'table', name, columns })
    let copied = 0
    const list = columns.map(quotedName).join(', ')
    const rows = await copyOut(client, `copy (select ${list} from ${qualified(name)}) to stdout`, async (chunk) => {
      signal?.throwIfAborted()
      await writer.write('R', chunk)
      copied += lines(chunk)
      onProgress?.(name, copied, false)
    })
    await writeEntry(writer, { kind: 'table end', name, rows })
    tables[name] = rows
    onProgress?.(name, rows, true)
  }
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const sequences = await sequencesOf(client)
  await writeEntry(writer, { kind: 'end', sequences, tables: Object.keys(tables).length, rows })
  await client.query('commit')
  return { path, ...(await writer.finish()), tables, rows, manifest }
}

const writeEntry = (writer: Writer, entry: Entry) => writer.write('J', Buffer.from(JSON.stringify(entry)))

async function describe(client: pg.Client, { madeAt, version }: BackupOptions): Promise<Manifest> {
  const { rows } = await client.query<Omit<Manifest, 'madeAt' | 'rodado' | 'partitions'>>(`
    select current_setting('server_version') as postgres, array(select name::text from migrations order by id) as migrations,
      (select value from settings where name = 'master_key_fingerprint') as "masterKeyFingerprint",
      (select value from settings where name = 'master_key_former') as "formerKeyFingerprint",
      feed_horizon()::text as "feedHorizon"`)
  const [found] = rows
  if (!found) throw new Error('The database does not say what it is.')
  return { madeAt: madeAt.toISOString(), rodado: version, ...found, partitions: await partitionsOf(client) }
}

/** Rows are lines in COPY's text format; a newline in a value is escaped. */
function lines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count++
  return count
}
