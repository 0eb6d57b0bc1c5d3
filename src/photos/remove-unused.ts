import sql from 'sql-template-tag'
import { DAY_SECONDS } from '../clock.ts'
import type { Store } from '../store/db.ts'
import { type PhotoStorage, photoNames, REMOVAL_BEGUN, tryLockPhoto, WIDTHS } from './photo.ts'

const BATCH = 100
/** Then it ends: a store that does not answer would fail for each photo. */
const MAX_FAULTS = 100
/** A page that names a copy may still be open, and a handler may be about to use it. */
const UNUSED_SECONDS = DAY_SECONDS

const IS_UNUSED = sql`
  f.used_at < now() - make_interval(secs => ${UNUSED_SECONDS}) and not exists (select from photos p where p.hash = f.hash)`

/** Removes copies that no listing uses. A photo whose removal fails is tried again at the next run. */
export async function removeUnusedPhotos(store: Store, storage: PhotoStorage, signal?: AbortSignal): Promise<void> {
  const faults: unknown[] = []
  for (let last = ''; faults.length < MAX_FAULTS; ) {
    const unused = await store.query<{ hash: string }>(sql`
      select hash from photo_files f where hash > ${last} and ${IS_UNUSED} order by hash limit ${BATCH}`)
    for (const { hash } of unused) {
      signal?.throwIfAborted()
      await removePhoto(store, storage, hash).catch((fault) => faults.push(fault))
    }
    if (unused.length < BATCH) break
    last = unused.at(-1)?.hash ?? ''
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} photos were not removed.`)
}

/**
 * Marks the row first, in a transaction of its own: if the removal fails or the node stops, a request to remove a file may
 * still arrive at the store, and a handler that then needs the photo makes its copies again. The row is deleted after the
 * files: from its first write to its commit a transaction holds back every feed (store/feed.ts), and a bucket may be slow.
 */
async function removePhoto(store: Store, storage: PhotoStorage, hash: string): Promise<void> {
  await store.query(sql`update photo_files f set used_at = ${REMOVAL_BEGUN} where hash = ${hash} and ${IS_UNUSED}`)
  await store.transaction(async (tx) => {
    if (!(await tryLockPhoto(tx, hash, 'remove'))) return // it is used again, or another node removes it
    const marked = sql`hash = ${hash} and used_at = ${REMOVAL_BEGUN}`
    const [row] = await tx.query(sql`select from photo_files where ${marked}`)
    if (!row) return
    const removals = photoNames(hash, WIDTHS).map((name) => storage.remove(name))
    await Promise.allSettled(removals) // under the lock, also if one of them fails
    await Promise.all(removals)
    await tx.query(sql`delete from photo_files where ${marked}`)
  })
}
