import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../circuit-breaker.ts'
import { type Connection, withClient } from '../failover.ts'
import { continueFeedsAfter } from '../feed.ts'
import { migrate, noTimeoutsSql, RESTORE_LOCK, SCHEMA_LOCK } from '../migrate.ts'
import { PLAIN_VALUES } from './backup.ts'
import { copyIn } from './copy.ts'
import { BackupFault, checkFile, type Entry, type Frame, type Manifest, type OnProgress, readFrames } from './file.ts'
import { qualified, quotedName, rebuild, refuseNewer, tableNames, usedTables } from './schema.ts'

/** The bounds of our partitions as PostgreSQL prints them; they become part of a statement. */
const BOUND = /^(DEFAULT|FOR VALUES FROM \((?:MINVALUE|'\w*')\) TO \('\w*'\)|FOR VALUES IN \('\d+'\))$/
const OPTIONS = /^fillfactor=\d+$/

interface RestoreOptions {
  connection: Connection
  path: string
  /** The keys that may open it, if it is encrypted. */
  identities?: string[] | undefined
  force?: boolean
  onProgress?: OnProgress
  log?: Log
}

export async function checkBackup(
  path: string,
  identities: string[] = [],
): Promise<{ manifest: Manifest; bytes: number }> {
  const { bytes } = await checkFile(path, identities)
  for await (const frame of readFrames(path, identities)) {
    const entry = entryOf(frame)
    if (entry.kind !== 'manifest') break
    await refuseNewer(entry.manifest.migrations)
    return { manifest: entry.manifest, bytes }
  }
  throw new BackupFault(`${path} does not begin like a backup.`)
}

/** Restores a checked backup into an empty database, in one transaction; `applied` are the migrations run after it. */
export async function restore({ connection, path, identities = [], force, onProgress, log }: RestoreOptions) {
  const application_name = 'rodado restore'
  const restored = await withClient(connection, { application_name, keepAlive: true }, async (client) => {
    await client.query('begin') // without a commit, nothing changes
    await client.query(`${await noTimeoutsSql(client)}; ${PLAIN_VALUES}`)
    await refuseIfInUse(client)
    const used = await usedTables(client)
    if (used.length > 0 && !force)
      throw new BackupFault(
        `The database is not empty (${used.slice(0, 5).join(', ')} …). Restore into an empty one, or add --force to replace ALL that is there.`,
      )
    const filled = await fill(client, path, identities, onProgress)
    await client.query('commit')
    return filled
  })
  const applied = await migrate(connection, log ? { log } : {}).catch(explainUnmigrated)
  // So that the first queries are planned well. If it fails, autovacuum does it within minutes.
  await withClient(connection, { application_name }, (client) => client.query('analyze')).catch(() => undefined)
  return { ...restored, applied }
}

/** Without a cause: this error must not look like one that changed nothing. */
function explainUnmigrated({ message }: Error): never {
  throw new Error(
    `All of the backup was restored, but not migrated to this version: ${message}. Fix that and run: rodado migrate.`,
  )
}

async function fill(client: pg.Client, path: string, identities: string[], onProgress: OnProgress | undefined) {
  const frames = readFrames(path, identities)
  const tables: Record<string, number> = {}
  let manifest: Manifest | undefined
  let names: string[] = []
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    const entry = entryOf(next.value)
    if (entry.kind === 'manifest') {
      manifest = entry.manifest
      names = await prepare(client, manifest)
    } else if (entry.kind === 'table') {
      tables[entry.name] = await fillTable(client, entry, frames, onProgress)
    } else if (entry.kind === 'end' && manifest) {
      for (const { name, last, isCalled } of entry.sequences)
        await client.query('select setval($1::regclass, $2::bigint, $3)', [qualified(name), last, isCalled])
      const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
      if (rows !== entry.rows || Object.keys(tables).length !== entry.tables)
        throw new BackupFault(`${rows} rows were restored and ${entry.rows} had been saved. Nothing was changed.`)
      for (const name of names) await client.query(`alter table ${qualified(name)} enable trigger user`)
      await continueFeedsAfter(client, manifest.feedHorizon)
      return { manifest, tables, rows }
    }
  }
  throw new BackupFault(`${path} has no end. Nothing was changed.`)
}

/** Creates the empty tables and partitions of the backup's version. Triggers are off, because the backup has their results. */
async function prepare(client: pg.Client, { migrations, partitions }: Manifest): Promise<string[]> {
  const unfit = partitions.find(({ bound, options }) => !BOUND.test(bound) || (options && !OPTIONS.test(options)))
  if (unfit) throw new BackupFault(`${unfit.name} has a partition bound that is not Rodado's. Nothing was changed.`)
  await rebuild(client, migrations)
  const names = await tableNames(client)
  await client.query(`truncate ${names.map(qualified).join(', ')}`)
  for (const { name, of, bound, options } of partitions) {
    const { rows } = await client.query(`select to_regclass($1) as found`, [qualified(name)])
    const how = options ? `${bound} with (${options})` : bound
    if (!rows[0].found) await client.query(`create table ${qualified(name)} partition of ${qualified(of)} ${how}`)
  }
  for (const name of names) await client.query(`alter table ${qualified(name)} disable trigger user`)
  return names
}

async function fillTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: string[] },
  frames: AsyncGenerator<Frame>,
  onProgress: OnProgress | undefined,
): Promise<number> {
  let saved: number | undefined
  async function* rows(): AsyncGenerator<Buffer> {
    for (let next = await frames.next(); !next.done; next = await frames.next()) {
      if (next.value.kind === 'R') yield next.value.content
      else {
        const entry = entryOf(next.value)
        if (entry.kind === 'table end') saved = entry.rows
        return
      }
    }
  }
  const list = columns.map(quotedName).join(', ')
  onProgress?.(name, 0, false)
  await copyIn(client, `copy ${qualified(name)} (${list}) from stdin`, rows())
  const { rows: counted } = await client.query<{ count: string }>(`select count(*) from ${qualified(name)}`)
  const count = Number(counted[0]?.count)
  if (count !== saved)
    throw new BackupFault(`${name}: ${count} rows were restored and ${saved} had been saved. Nothing was changed.`)
  onProgress?.(name, count, true)
  return count
}

function entryOf({ kind, content }: Frame): Entry {
  if (kind !== 'J') throw new BackupFault('The backup has rows where something else was to be said.')
  return JSON.parse(content.toString('utf8')) as Entry
}

/** A connection that has just ended is still listed for a moment. */
const CHECKS = 10
const BETWEEN_CHECKS_MS = 100

/**
 * Refuses while anybody else is connected: a server would go on with its caches and write between our tables. No node can
 * start until the transaction ends, because each waits for these locks first.
 */
async function refuseIfInUse(client: pg.Client): Promise<void> {
  let names: string[] = []
  for (let check = 0; check < CHECKS; check++) {
    if (check > 0) await pause(BETWEEN_CHECKS_MS)
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(${SCHEMA_LOCK}) and pg_try_advisory_xact_lock(${RESTORE_LOCK}) as locked,
         pg_stat_clear_snapshot()`,
    )
    names = await otherSessions(client)
    if (rows[0]?.locked && names.length === 0) return
  }
  const count = `${names.length} connection${names.length === 1 ? '' : 's'}`
  throw new BackupFault(
    `The database is in use (${count}: ${[...new Set(names)].join(', ')}). Stop every node and command, and end every other session first. Nothing was changed.`,
  )
}

/** The application names of other sessions. PostgreSQL hides the kind of another role's sessions. */
async function otherSessions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select coalesce(nullif(application_name, ''), 'a session of ' || usename, 'a session') as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (backend_type = 'client backend' or backend_type is null and usesysid is not null)
    order by 1`)
  return rows.map(({ name }) => name)
}
