import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Connection, Log } from '../db.ts'
import { newClient } from '../failover.ts'
import { continueFeedsAfter } from '../feed.ts'
import { migrate, SCHEMA_LOCK } from '../migrate.ts'
import { PLAIN_VALUES } from './backup.ts'
import { copyIn } from './copy.ts'
import { BackupFault, checkFile, type Entry, type Frame, type Manifest, type OnProgress, readFrames } from './file.ts'
import { place, quoted, rebuild, refuseNewer, tableNames, usedTables } from './schema.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** As PostgreSQL prints the bounds of our parts, which are words of ids; it goes into a statement as it is. */
const BOUND = /^(DEFAULT|FOR VALUES FROM \('\w*'\) TO \('\w*'\))$/

export interface RestoreOptions {
  connection: Connection
  path: string
  /** Replaces what is there. */
  force?: boolean
  watch?: OnProgress
  log?: Log
}

export interface Restored {
  manifest: Manifest
  tables: Record<string, number>
  rows: number
  /** Migrations that were newer than the backup, and run after it. */
  applied: string[]
}

/** Reads all of a backup without touching anything: whether it is whole, of a version known here, and what it holds. */
export async function checkBackup(path: string): Promise<{ manifest: Manifest; bytes: number }> {
  const { bytes } = await checkFile(path)
  for await (const frame of readFrames(path)) {
    const words = wordsOf(frame)
    if (words.kind !== 'manifest') break
    await refuseNewer(words.manifest.migrations)
    return { manifest: words.manifest, bytes }
  }
  throw new BackupFault(`${path} does not begin as a backup does.`)
}

/** Puts a backup that was checked into an empty database: all of it in one transaction, or nothing. */
export async function restore({ connection, path, force, watch, log }: RestoreOptions): Promise<Restored> {
  const client = newClient(connection, {
    application_name: 'rodado restore',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  client.on('error', () => undefined) // the statement under way fails with it
  await client.connect()
  let restored: Omit<Restored, 'applied'>
  try {
    await client.query(PLAIN_VALUES)
    await client.query('begin')
    await refuseIfInUse(client)
    const used = await usedTables(client)
    if (used.length > 0 && !force)
      throw new BackupFault(
        `The database is not empty (${used.slice(0, 5).join(', ')} …). Restore into an empty one, or add --force to replace ALL that is there.`,
      )
    restored = await fill(client, path, watch)
    await client.query('commit')
  } finally {
    await client.end().catch(() => undefined) // without a commit, nothing happened
  }
  const applied = await migrate(connection, log ? { log } : {}).catch(explainUnmigrated)
  await analyze(connection)
  return { ...restored, applied }
}

/** Without the error as its cause, by which it would be taken for one that left nothing. */
function explainUnmigrated({ message }: Error): never {
  throw new Error(
    `All of the backup was restored, but not brought to this version yet: ${message}. Mend that; then the next start of the server does it, or: rodado migrate.`,
  )
}

async function fill(
  client: pg.Client,
  path: string,
  watch: OnProgress | undefined,
): Promise<Omit<Restored, 'applied'>> {
  const frames = readFrames(path)
  const tables: Record<string, number> = {}
  let manifest: Manifest | undefined
  let names: string[] = []
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    const words = wordsOf(next.value)
    if (words.kind === 'manifest') {
      manifest = words.manifest
      names = await prepare(client, manifest)
    } else if (words.kind === 'table') {
      tables[words.name] = await fillTable(client, words, frames, watch)
    } else if (words.kind === 'end' && manifest) {
      for (const { name, last, isCalled } of words.sequences)
        await client.query('select setval($1::regclass, $2::bigint, $3)', [place(name), last, isCalled])
      const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
      if (rows !== words.rows || Object.keys(tables).length !== words.tables)
        throw new BackupFault(`${rows} rows were restored and ${words.rows} had been saved. Nothing was changed.`)
      for (const name of names) await client.query(`alter table ${place(name)} enable trigger user`)
      await continueFeedsAfter(client, manifest.feedHorizon)
      return { manifest, tables, rows }
    }
  }
  throw new BackupFault(`${path} has no end. Nothing was changed.`)
}

/** Empty tables as the backup's version made them, with the same parts; what triggers keep is in the backup itself. */
async function prepare(client: pg.Client, { migrations, partitions }: Manifest): Promise<string[]> {
  const unfit = partitions.find(({ bound }) => !BOUND.test(bound))
  if (unfit) throw new BackupFault(`${unfit.name} is divided in a way that is not Rodado's. Nothing was changed.`)
  await rebuild(client, migrations)
  const names = await tableNames(client)
  await client.query(`truncate ${names.map(place).join(', ')}`)
  for (const { name, of, bound } of partitions) {
    const { rows } = await client.query(`select to_regclass($1) as found`, [place(name)])
    if (!rows[0].found) await client.query(`create table ${place(name)} partition of ${place(of)} ${bound}`)
  }
  for (const name of names) await client.query(`alter table ${place(name)} disable trigger user`)
  return names
}

async function fillTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: string[] },
  frames: AsyncGenerator<Frame>,
  watch: OnProgress | undefined,
): Promise<number> {
  let saved: number | undefined
  async function* rows(): AsyncGenerator<Buffer> {
    for (let next = await frames.next(); !next.done; next = await frames.next()) {
      if (next.value.kind === 'R') yield next.value.content
      else {
        const words = wordsOf(next.value)
        if (words.kind === 'table end') saved = words.rows
        return
      }
    }
  }
  const list = columns.map(quoted).join(', ')
  watch?.(name, 0, false)
  await copyIn(client, `copy ${place(name)} (${list}) from stdin`, rows())
  const { rows: counted } = await client.query<{ count: string }>(`select count(*) from ${place(name)}`)
  const count = Number(counted[0]?.count)
  if (count !== saved)
    throw new BackupFault(`${name}: ${count} rows were restored and ${saved} had been saved. Nothing was changed.`)
  watch?.(name, count, true)
  return count
}

function wordsOf({ kind, content }: Frame): Entry {
  if (kind !== 'J') throw new BackupFault('The backup has rows where something else was to be said.')
  return JSON.parse(content.toString('utf8')) as Entry
}

/** So that the first questions are planned well; what it learns is a help, and its failure no harm. */
async function analyze(connection: Connection): Promise<void> {
  const client = newClient(connection, { application_name: 'rodado restore' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('analyze')
  } catch {
    // autovacuum will do it within minutes
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Whoever has just ended, a look for the host that takes writes too, is seen for a moment longer. */
const LOOKS = 10
const BETWEEN_LOOKS_MS = 100

/**
 * Refuses while anybody else is connected, under whatever name: a server would go on with what it holds in memory, and
 * write between our tables. Until the end of the transaction no node starts: each migrates first, and waits for this lock.
 */
export async function refuseIfInUse(client: pg.Client): Promise<void> {
  let names: string[] = []
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await pause(BETWEEN_LOOKS_MS)
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(${SCHEMA_LOCK}) as locked, pg_stat_clear_snapshot()`,
    )
    names = await othersHere(client)
    if (rows[0]?.locked && names.length === 0) return
  }
  const count = `${names.length} connection${names.length === 1 ? '' : 's'}`
  throw new BackupFault(
    `The database is in use (${count}: ${[...new Set(names)].join(', ')}). Stop every node and command, and end every other session first. Nothing was changed.`,
  )
}

/** What the others call themselves. Of another role's sessions only the name and the role are shown, not their kind. */
async function othersHere(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select coalesce(nullif(application_name, ''), 'a session of ' || usename, 'a session') as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (backend_type = 'client backend' or backend_type is null and usesysid is not null)
    order by 1`)
  return rows.map(({ name }) => name)
}
