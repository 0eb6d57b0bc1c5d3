import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { coalesce } from '../../memoize.ts'
import type { Log } from '../circuit-breaker.ts'
import type { Store } from '../db.ts'
import { type Connection, withClient } from '../failover.ts'
import { MAX_PAUSE_MS, reconnect } from '../reconnect.ts'

/** How often positions are read and compared. */
export const PROBE_MS = 300

/** The channel of announced writes; the payload is a client, or everyone. */
export const CHANNEL = 'writes'
export const EVERYONE = '*'
const MAX_WRITERS = 10_000

/** A statement that always has a row. */
export async function rowsOf<Row extends pg.QueryResultRow>(query: Promise<pg.QueryResult>): Promise<[Row]> {
  return (await query).rows as [Row]
}

/** When each client last wrote. */
export function rememberWrites() {
  const times = new Map<string, number>()
  let all = performance.now()
  return {
    add(client: string): void {
      const now = performance.now()
      if (client === EVERYONE) all = now
      times.delete(client) // the map is in the order of the last writes
      times.set(client, now)
      for (const [oldest, time] of times) {
        if (times.size <= MAX_WRITERS) return
        times.delete(oldest)
        all = Math.max(all, time)
      }
    },
    last: (client: string): number => Math.max(all, times.get(client) ?? 0),
  }
}

export interface Position {
  /** Everything committed before this time is at or before `lsn`. */
  at: number
  lsn: number
  timeline: number
  system: string
}

/** Includes what is not on disk yet: a commit that does not wait for the disk is visible before. */
const POSITION = `
  select (pg_current_wal_insert_lsn() - '0/0')::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline`

const WAL_PAGE = 8_192
const WAL_PAGE_HEADERS = [24, 40]

/** The next record begins after the header of its page, which a replica has not read while there is no record. */
function endOfRecords(lsn: number): number {
  const offset = lsn % WAL_PAGE
  return WAL_PAGE_HEADERS.includes(offset) ? lsn - offset : lsn
}

interface PrimaryOptions {
  store: Store
  connection: Connection
  log: Log
  signal: AbortSignal
  writes: ReturnType<typeof rememberWrites>
}

/** A connection to the primary that receives what other nodes wrote and reads the primary's position. */
export function followPrimary({ store, connection, log, signal, writes }: PrimaryOptions) {
  const none = async (): Promise<Position> => {
    throw new Error('The position of the primary is not known.')
  }
  let read = none
  const share = coalesce<Position>()

  /** PostgreSQL sends pending notifications before the end of its answer, so those of earlier commits are received. */
  const position = (): Promise<Position> => share('position', () => read())

  async function session(client: pg.Client): Promise<void> {
    const token = randomUUID()
    let onReceived: (() => void) | undefined
    client.on('notification', ({ channel, payload = '' }) => {
      if (payload === token) onReceived?.()
      else if (channel === CHANNEL || payload.startsWith('app:')) writes.add(payload)
    })
    await client.query(`listen ${CHANNEL}`)
    await client.query('listen outbox') // events for apps are announced there
    // This connection is idle now: a pooler in transaction mode would have given its server connection to others.
    const received = new Promise<true>((resolve) => {
      onReceived = () => resolve(true)
    })
    await store.query(sql`select pg_notify(${CHANNEL}, ${token})`)
    if (!(await Promise.race([received, pause(MAX_PAUSE_MS, false, { signal })])))
      throw new Error('LISTEN does not work on this connection. Behind a pooler, set DATABASE_DIRECT_URL.')
    const [{ system }] = await rowsOf<{ system: string }>(
      client.query('select system_identifier::text as system from pg_control_system()'),
    )
    writes.add(EVERYONE) // what was announced before is not known
    read = async () => {
      const at = performance.now()
      const reading = client.query({ name: 'position', text: POSITION })
      const [row] = await rowsOf<{ lsn: string; timeline: number }>(reading)
      return { at, lsn: endOfRecords(Number(row.lsn)), timeline: row.timeline, system }
    }
    try {
      while (!signal.aborted) {
        await position()
        await pause(PROBE_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      read = none
    }
  }

  const more = { application_name: 'rodado replicas', query_timeout: 1_000, keepAlive: true }
  const ended = reconnect({
    signal,
    firstPauseMs: PROBE_MS,
    session: () => withClient(connection, more, session),
    onLost: (err) => log.warn({ err }, 'replicas: reads go to the primary'),
  })
  return { position, ended }
}

export type Primary = ReturnType<typeof followPrimary>
