import sql from 'sql-template-tag'
import type { Store } from './db.ts'

/** What was checked, each `ok`, `unknown` or what is wrong. */
export interface Checks {
  /** It answers. */
  database: string
  /** It accepts writes: it is no replica, nor read-only by a setting. */
  writes: string
  /** It can store more. */
  disk: string
  /** Its clock agrees with ours: signatures are good for five minutes. */
  clock: string
}

export const OK = 'ok'
export const UNKNOWN = 'unknown'
const MAX_APART_MS = 60_000
/** Anybody may call it; more frequent checks would take connections from requests. */
const EVERY_MS = 500
const DISK_EVERY_MS = 5_000
const DISK_FULL = '53100'

/**
 * Checks the database for `ready`, twice a second at most; the disk every five seconds at most, because it costs a small
 * file. Calls in between get the same result.
 */
export function readinessOf(store: Store, clock: () => Date, nowMs: () => number): () => Promise<Checks> {
  const checkDisk = shareFor(DISK_EVERY_MS, nowMs, () =>
    writeFile(store).then(
      () => OK,
      (error) => (error.code === DISK_FULL ? 'the disk of the database is full' : UNKNOWN),
    ),
  )

  return shareFor(EVERY_MS, nowMs, async () => {
    try {
      await store.ping()
      const { readOnly, apartMs } = await compare(store, clock)
      const writes = readOnly ? 'the database accepts no writes: it is a replica, or read-only' : OK
      const apart = `the clock is ${Math.round(apartMs / 1_000)} s apart from the database's: signatures are refused`
      return { database: OK, writes, disk: await checkDisk(), clock: apartMs > MAX_APART_MS ? apart : OK }
    } catch {
      return { database: 'the database is unavailable', writes: UNKNOWN, disk: UNKNOWN, clock: UNKNOWN }
    }
  })
}

/** Calls within that time from the start of a check share its result. */
function shareFor<T>(ms: number, nowMs: () => number, check: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined
  let startedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (latest && nowMs() - startedMs < ms) return latest
    startedMs = nowMs()
    latest = check()
    return latest
  }
}

/** Whether the database is read-only, and by how much its clock differs from ours at least. */
async function compare(
  store: Pick<Store, 'query'>,
  clock: () => Date,
): Promise<{ readOnly: boolean; apartMs: number }> {
  const before = clock().getTime()
  const [row] = await store.query<{ readOnly: boolean; atMs: number }>(sql`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "readOnly",
      extract(epoch from clock_timestamp())::float8 * 1000 as "atMs"`)
  const after = clock().getTime()
  const { readOnly = false, atMs = Number.NaN } = row ?? {}
  return { readOnly, apartMs: Math.max(0, before - atMs, atMs - after) }
}

/** Has PostgreSQL write a temporary file, which needs no table and no privilege: with a full disk that fails. */
async function writeFile(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(sql`set local work_mem = '64kB'`)
    await tx.query(sql`select count(*) from generate_series(1, 20000)`)
  })
}
