import sql from 'sql-template-tag'
import { DAY_SECONDS } from '../clock.ts'
import type { Db, Store } from '../store/db.ts'
import { FORMATS, type Format, type PhotoStorage, photoName, WIDTHS } from './photo.ts'

const BATCH = 100
/** A page that names a copy may still be open, and a handler may be about to use it. */
const UNUSED_SECONDS = DAY_SECONDS

/** Removes copies that no listing uses. */
export async function removeUnusedPhotos(store: Store, storage: PhotoStorage): Promise<void> {
  for (;;) if ((await store.transaction((tx) => removeBatch(tx, storage))) < BATCH) return
}

/** The rows are locked until the files are gone: who stores the same photo meanwhile waits, and then stores it again. */
async function removeBatch(tx: Db, storage: PhotoStorage): Promise<number> {
  const rows = await tx.query<{ hash: string }>(sql`
    delete from photo_files where hash = any (array(
      select f.hash from photo_files f
      where f.used_at < now() - make_interval(secs => ${UNUSED_SECONDS})
        and not exists (select from photos p where p.hash = f.hash)
      limit ${BATCH} for update skip locked))
    returning hash`)
  for (const { hash } of rows)
    for (const width of WIDTHS)
      for (const format of Object.keys(FORMATS) as Format[]) await storage.remove(photoName(hash, width, format))
  return rows.length
}
