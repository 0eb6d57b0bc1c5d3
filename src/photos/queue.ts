import sql from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import { isVisibleInFeed } from '../store/feed.ts'

/** Listings in one transaction. */
const BATCH = 200

/** The photos that a listing has already. An aggregate for each listing: for a join PostgreSQL may read the whole table. */
const QUEUED = sql`cross join lateral (
  select coalesce(array_agg(url), '{}') as urls from photos where publicacion_id = p.id) queued`

interface Position {
  modo: string
  xid: string
  position: string
}

/**
 * Queues the photos of listings that changed, and removes those that a listing no longer has. It follows the feed of
 * listings, so that publishing costs nothing more and never waits for a photo.
 */
export async function queuePhotos(store: Store, signal?: AbortSignal): Promise<void> {
  const positions = await store.query<Position>(sql`select modo, xid, position from photo_positions`)
  for (const { modo } of positions) while ((await queueBatch(store, modo)) === BATCH) signal?.throwIfAborted()
}

const queueBatch = (store: Store, modo: string): Promise<number> =>
  store.transaction(async (tx) => {
    const [after] = await tx.query<Position>(sql`
      select modo, xid, position from photo_positions where modo = ${modo} for update`)
    if (!after) return 0
    const changed = await tx.query<{ id: number; xid: string; differs: boolean }>(sql`
      select p.id, p.xid::text as xid, not (wanted.urls <@ queued.urls and queued.urls <@ wanted.urls) as differs
      from publicaciones p ${QUEUED} cross join lateral (
        select case when p.estado = 'Archivada' then '{}' else p.fotos end as urls) wanted
      where p.modo = ${modo} and (p.xid, p.id) > (${after.xid}::xid8, ${after.position}::bigint)
        and ${isVisibleInFeed(sql`p.xid`)}
      order by p.xid, p.id limit ${BATCH}`)
    const last = changed.at(-1)
    if (!last) return 0
    const ids = changed.filter(({ differs }) => differs).map(({ id }) => id)
    if (ids.length > 0) await replacePhotos(tx, ids)
    await tx.query(sql`
      update photo_positions set xid = ${last.xid}, position = ${String(last.id)} where modo = ${modo}`)
    return changed.length
  })

async function replacePhotos(tx: Db, ids: number[]): Promise<void> {
  await tx.query(sql`
    delete from photos using publicaciones p
    where photos.publicacion_id = any (${ids}::int[]) and p.id = photos.publicacion_id
      and (p.estado = 'Archivada' or photos.url <> all (p.fotos))`)
  // A millisecond apart: the first photo of every listing comes before any second one.
  const queued = await tx.query(sql`
    insert into photos (publicacion_id, app_id, url, due_at)
    select p.id, p.app_id, foto.url, now() + make_interval(secs => min(foto.nth) / 1000.0)
    from publicaciones p ${QUEUED} cross join lateral unnest(p.fotos) with ordinality as foto (url, nth)
    where p.id = any (${ids}::int[]) and p.estado <> 'Archivada' and foto.url <> all (queued.urls)
    group by p.id, p.app_id, foto.url
    returning 1`)
  if (queued.length > 0) tx.notify('photos')
}
