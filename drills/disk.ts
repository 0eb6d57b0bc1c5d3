// npm run drill:disk [-- --seconds 10]
// PostgreSQL's disk fills up while events are made: clear refusals, nothing corrupted, and it goes on when there is space
// again. Needs a file system of its own (a tmpfs, mounted as root); where there is none it is skipped, aloud.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Store } from '../src/store/db.ts'
import { type Defer, makeTempDir } from './cleanup.ts'
import { startCluster } from './cluster.ts'
import { openDatabase } from './database.ts'
import { DISK, type Disk } from './disk/verdict.ts'
import { drill } from './drill.ts'
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
  let [isOver, filling] = [false, Promise.resolve(0)]
  // Before anything is unmounted: nothing may be written into the folder below.
  defer(() => {
    isOver = true
    return filling
  })
  const began = performance.now()
  while (performance.now() - began < number('seconds') * 1_000 || tally.announced === refusedBefore) {
    if (isOver) throw new Error('The disk is not filled any more.')
    filling = fill(filler)
    if ((await filling) > 0) fillings++
    await pause(POLL_MS)
    if (performance.now() - began > RECOVERY_MS) break
  }
  const refused = tally.announced - refusedBefore
  const freed = performance.now()
  await rm(filler)
  say(`${refused} requests were refused; there is space again …`)
  const yes = () => tally.answers.find(({ at, ms, status }) => at - ms > freed && status === 202)
  while (!yes() && performance.now() - freed < RECOVERY_MS) await pause(POLL_MS)
  const served = yes()?.at
  await pause(number('seconds') * 500)
  await load.stop()

  const done = { faults: fillings, crashes: cluster.crashes() }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, done)
  say('PostgreSQL is started again, and every table is read from the disk …')
  const corruptBefore = await corruptPages(cluster.store) // it forgets what it counted when it is killed
  await database.kill(cluster.store) // it recovers from its log and has nothing in memory: what is read is what the disk has
  const { tables, unreadable } = await readAll(cluster.store)
  const [checksums] = await cluster.store.query<{ on: boolean }>(
    sql`select current_setting('data_checksums') = 'on' as on`,
  )
  const seen: Disk = {
    ...{ before, fillings, refused, servedAfterMs: served === undefined ? undefined : served - freed },
    ...{ hasChecksums: checksums?.on === true, tables, unreadable },
    ...{ corruptBefore, corruptAfter: await corruptPages(cluster.store) },
  }
  return {
    rows: [
      ['acknowledged before', before],
      ['times that the last of the disk was taken', fillings],
      ['refused while the disk was full', refused],
      ['served again after, ms', served === undefined ? 'never' : (served - freed).toFixed(0)],
      ['tables read after a restart', tables],
      ['  of them unreadable', unreadable.length],
      ['corrupt pages found before / after the restart', `${seen.corruptBefore} / ${seen.corruptAfter}`],
      ...rows,
    ],
    failed: [...violationsOf(DISK, seen), ...failed],
    held: 'Refused clearly, nothing was corrupted or lost, and it went on.',
    sum,
  }
})

/** How often PostgreSQL has found a page whose checksum is wrong since it was started anew. */
async function corruptPages(store: Store): Promise<number> {
  const [pages] = await store.query<{ failures: number }>(sql`
    select sum(checksum_failures)::int as failures from pg_stat_database`)
  return pages?.failures ?? Number.NaN
}

/** Every value of every row, so that every page is looked at; a table with one that is corrupt cannot be read. */
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

/** A file system that is soon full, until the end; undefined where none can be had. */
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

/** Takes whatever is left; how much that was. */
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
