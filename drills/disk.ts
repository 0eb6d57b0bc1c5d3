// npm run drill:disk [-- --seconds 10]
// PostgreSQL's disk fills up under load: requests get 503, nothing is corrupted, and work resumes when there is space again.
// Needs root to mount a small tmpfs; skipped otherwise.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'
import { type Defer, makeTempDir } from './cleanup.ts'
import { openDatabase } from './database.ts'
import { DISK, type Disk } from './disk/verdict.ts'
import { drill } from './drill.ts'
import { startCluster } from './instances.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

const SIZE_MIB = 256
const CHUNK = Buffer.alloc(1024 * 1024)
const PER_SECOND = 40
const POLL_MS = 100
const RECOVERY_MS = 60_000

await drill({ seconds: { standard: 10 } }, async ({ say, defer, number }) => {
  const folder = mountSmall(defer)
  if (!folder) {
    say('SKIPPED: no small file system can be mounted here (that needs root).')
    return 'skipped'
  }
  const database = await openDatabase(defer, join(folder, 'data'))
  const cluster = await startCluster(defer, { database })
  const receiver = await openReceiver()
  defer(() => receiver.close())
  const { tally, ...load } = await startLoad(cluster, receiver.url, { perSecond: PER_SECOND })
  await pause(number('seconds') * 500)
  const before = tally.acknowledged.size
  say(`${before} events were acknowledged; now the disk fills up …`)
  const filler = join(folder, 'filler')
  const refusedBefore = tally.announced
  let fillings = 0
  let reported = false
  let isOver = false
  let filling = Promise.resolve(0)
  // Deferred last, so it runs before the file system is unmounted: nothing may be written into the folder below.
  defer(() => {
    isOver = true
    return filling
  })
  const began = performance.now()
  while (performance.now() - began < number('seconds') * 1_000 || tally.announced === refusedBefore || !reported) {
    if (isOver) throw new Error('The drill has ended.')
    filling = fill(filler)
    if ((await filling) > 0) fillings++
    await pause(POLL_MS)
    reported ||= (await readyReason(cluster.server.url)).includes('disk')
    if (performance.now() - began > RECOVERY_MS) break
  }
  const refused = tally.announced - refusedBefore
  const freed = performance.now()
  await rm(filler)
  say(`${refused} requests were refused; there is space again …`)
  const firstSuccess = () => tally.answers.find(({ at, ms, status }) => at - ms > freed && status === 202)
  while (!firstSuccess() && performance.now() - freed < RECOVERY_MS) await pause(POLL_MS)
  const served = firstSuccess()?.at
  await pause(number('seconds') * 500)
  await load.stop()

  const done = { faults: fillings, crashes: cluster.crashes() }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, done)
  say('PostgreSQL restarts, and every table is read from the disk …')
  const corruptBefore = await corruptPages(cluster.store) // the counter is lost when PostgreSQL is killed
  await database.kill(cluster.store) // nothing is cached afterwards: reads come from the disk
  const { tables, unreadable } = await readAll(cluster.store)
  const [checksums] = await cluster.store.query<{ on: boolean }>(
    sql`select current_setting('data_checksums') = 'on' as on`,
  )
  const seen: Disk = {
    before,
    fillings,
    refused,
    reported,
    servedAfterMs: served === undefined ? undefined : served - freed,
    hasChecksums: checksums?.on === true,
    tables,
    unreadable,
    corruptBefore,
    corruptAfter: await corruptPages(cluster.store),
  }
  return {
    rows: [
      ['acknowledged before', before],
      ['times the disk was filled', fillings],
      ['refused while the disk was full', refused],
      ['`ready` named the disk', reported ? 'yes' : 'no'],
      ['served again after, ms', served === undefined ? 'never' : (served - freed).toFixed(0)],
      ['tables read after a restart', tables],
      ['  of them unreadable', unreadable.length],
      ['corrupt pages found before / after the restart', `${seen.corruptBefore} / ${seen.corruptAfter}`],
      ...rows,
    ],
    failed: [...violationsOf(DISK, seen), ...failed],
    held: 'Requests were refused clearly, nothing was corrupted or lost, and work resumed.',
    sum,
  }
})

/** Why `ready` answers 503; empty while it does not. */
async function readyReason(url: string): Promise<string> {
  const answer = (await (await fetch(`${url}/health/ready`)).json()) as { reason?: string }
  return answer.reason ?? ''
}

/** The number of wrong page checksums that PostgreSQL found since its last recovery. */
async function corruptPages(store: Store): Promise<number> {
  const [pages] = await store.query<{ failures: number }>(sql`
    select sum(checksum_failures)::int as failures from pg_stat_database`)
  return pages?.failures ?? Number.NaN
}

/** Reads every value of every row, and so every page. A table with a corrupt page fails. */
async function readAll(store: Store): Promise<Pick<Disk, 'tables' | 'unreadable'>> {
  const tables = await store.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class where relkind in ('r', 'm') and has_table_privilege(oid, 'select')
      and relnamespace in ('public'::regnamespace, 'pg_catalog'::regnamespace)`)
  const unreadable: string[] = []
  for (const { name } of tables)
    await store
      .query(sql`select sum(length(t::text)) from ${raw(name)} t`)
      .catch((error: Error) => unreadable.push(`${name}: ${error.message}`))
  return { tables: tables.length, unreadable }
}

/** Mounts a small file system until the cleanup; undefined if that is not possible. */
function mountSmall(defer: Defer): string | undefined {
  const folder = makeTempDir(defer, 'disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
    defer(() => execFileSync('umount', [folder], { stdio: 'ignore' }))
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}

/** Fills the disk. Returns the bytes written. */
async function fill(path: string): Promise<number> {
  const file = await open(path, 'a')
  let taken = 0
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(path)
      const left = Math.min(CHUNK.length, bavail * bsize)
      if (left === 0) return taken
      taken += (await file.write(CHUNK, 0, left)).bytesWritten
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return taken
  } finally {
    await file.close()
  }
}
