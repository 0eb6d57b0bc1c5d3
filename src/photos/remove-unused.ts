import sql from 'sql-template-tag'
import { DAY_SECONDS } from '../clock.ts'
import type { Db, Store } from '../store/db.ts'
import { lockPhoto, type PhotoStorage, photoNames, WIDTHS } from './photo.ts'

const BATCH = 100
/** A page that names a copy may still be open, and a handler may be about to use it. */
const UNUSED_SECONDS = DAY_SECONDS

const IS_UNUSED = sql`
  f.used_at < now() - make_interval(secs => ${UNUSED_SECONDS}) and not exists (select from photos p where p.hash = f.hash)`

/** Removes copies that no listing uses. */
export async function removeUnusedPhotos(store: Store, storage: PhotoStorage, signal?: AbortSignal): Promise<void> {
  for (let last = ''; ; ) {
    const unused = await store.query<{ hash: string }>(sql`
      select hash from photo_files f where hash > ${last} and ${IS_UNUSED} order by hash limit ${BATCH}`)
    for (const { hash } of unused) {
      signal?.throwIfAborted()
      await store.transaction((tx) => removePhoto(tx, storage, hash, signal))
    }
    if (unused.length < BATCH) return
    last = unused.at(-1)?.hash ?? ''
  }
}

/**
 * The row is deleted after the files: from its first write to its commit a transaction holds back every feed
 * (store/feed.ts), and a bucket may be slow. A handler that stores the same photo waits, and then stores it again.
 */
async function removePhoto(tx: Db, storage: PhotoStorage, hash: string, signal?: AbortSignal): Promise<void> {
  await lockPhoto(tx, hash)
  const [unused] = await tx.query(sql`select from photo_files f where hash = ${hash} and ${IS_UNUSED}`)
  if (!unused) return
  const removals = photoNames(hash, WIDTHS).map((name) => storage.remove(name, signal))
  // All of them end before the lock does: a late one would remove a file that was stored since.
  await Promise.allSettled(removals)
  await Promise.all(removals)
  await tx.query(sql`delete from photo_files where hash = ${hash}`)
}
