import type pg from 'pg'
import type { Connection } from '../db.ts'
import { newClient } from '../failover.ts'
import { MIGRATIONS_TABLE } from '../migrate.ts'
import { copyOut } from './copy.ts'
import { BackupFault, type Entry, type Manifest, type OnProgress, openWriter, type Writer } from './file.ts'
import { partitionsOf, place, quoted, sequencesOf, tableNames, tablesInOrder } from './schema.ts'

const CONNECT_TIMEOUT_MS = 5_000
const NEWLINE = 0x0a

export interface BackupOptions {
  connection: Connection
  path: string
  madeAt: Date
  /** The version of Rodado, for whoever restores it. */
  version: string
  watch?: OnProgress
  /** Ends it early, and leaves nothing. */
  signal?: AbortSignal
}

export interface Backup {
  path: string
  bytes: number
  sha256: string
  tables: Record<string, number>
  rows: number
  manifest: Manifest
}

/** Values are printed in one way, whatever this server's or this user's settings are. */
export const PLAIN_VALUES = `set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 1; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`

/**
 * Copies the whole store into one file, while others go on writing: all tables as they were at one moment. Secrets stay
 * sealed as they are stored.
 */
export async function backUp(options: BackupOptions): Promise<Backup> {
  const { connection, path, watch, signal } = options
  const client = newClient(connection, {
    application_name: 'rodado backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  client.on('error', () => undefined) // the statement under way fails with it
  await client.connect()
  const writer = openWriter(path)
  try {
    await client.query(PLAIN_VALUES)
    const names = await tableNames(client)
    if (!names.includes(MIGRATIONS_TABLE))
      throw new BackupFault('There is nothing to back up: Rodado was never started here.')
    await client.query('begin isolation level repeatable read read only')
    // Before the first question, which fixes the moment: nobody may drop a month in between.
    await client.query(`lock table ${names.map(place).join(', ')} in access share mode`)
    const manifest = await describe(client, options)
    await say(writer, { kind: 'manifest', manifest })
    const tables: Record<string, number> = {}
    for (const { name, columns } of await tablesInOrder(client)) {
      signal?.throwIfAborted()
      await say(writer, { kind: 'table', name, columns })
      let passed = 0
      const list = columns.map(quoted).join(', ')
      const rows = await copyOut(client, `copy (select ${list} from ${place(name)}) to stdout`, async (chunk) => {
        signal?.throwIfAborted()
        await writer.write('R', chunk)
        passed += lines(chunk)
        watch?.(name, passed, false)
      })
      await say(writer, { kind: 'table end', name, rows })
      tables[name] = rows
      watch?.(name, rows, true)
    }
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
    const sequences = await sequencesOf(client)
    await say(writer, { kind: 'end', sequences, tables: Object.keys(tables).length, rows })
    await client.query('commit')
    return { path, ...(await writer.finish()), tables, rows, manifest }
  } catch (error) {
    await writer.abandon()
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

const say = (writer: Writer, words: Entry) => writer.write('J', Buffer.from(JSON.stringify(words)))

async function describe(client: pg.Client, { madeAt, version }: BackupOptions): Promise<Manifest> {
  const { rows } = await client.query<Omit<Manifest, 'madeAt' | 'rodado' | 'partitions' | 'feedHorizon'>>(`
    select current_setting('server_version') as postgres, array(select name::text from migrations order by id) as migrations,
      (select value from settings where name = 'master_key_fingerprint') as "masterKeyFingerprint"`)
  const { rows: feeds } = await client.query<{ horizon: string }>('select feed_horizon()::text as horizon')
  const [found, feedHorizon] = [rows[0], feeds[0]?.horizon]
  if (!found || !feedHorizon) throw new Error('The database does not say what it is.')
  return {
    ...{ madeAt: madeAt.toISOString(), rodado: version, ...found, feedHorizon },
    partitions: await partitionsOf(client),
  }
}

/** Rows are lines in COPY's text form; a newline within a value is written otherwise. */
function lines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count++
  return count
}
