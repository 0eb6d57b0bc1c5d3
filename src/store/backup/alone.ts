import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { SCHEMA_LOCK } from '../migrate.ts'
import { BackupFault } from './file.ts'

/** Whoever has just ended, a look for the host that takes writes too, is seen for a moment longer. */
const LOOKS = 10
const BETWEEN_LOOKS_MS = 100

/**
 * Refuses while anybody else is connected, under whatever name: a server would go on with what it holds in memory, and
 * write between our tables. Until the end of the transaction no node starts: each migrates first, and waits for this lock.
 */
export async function beAlone(client: pg.Client): Promise<void> {
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
