import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { FORMATS, type PhotoStorage, photoName, WIDTHS, widthsOf } from '../../photos/photo.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { DRAWING_HEIGHT, DRAWING_WIDTH, drawCar } from '../../sandbox/fiction/drawing.tsx'
import type { Db } from '../../store/db.ts'

const AT_ONCE = 8

/** Stores copies of the drawings that the listings name as photos, as the worker does with photos that it fetches. */
export async function storeDrawings(
  tx: Db,
  storage: PhotoStorage,
  publicaciones: readonly Publicacion[],
): Promise<void> {
  const urls = [...new Set(publicaciones.flatMap(({ fotos }) => fotos))]
  const hashes: string[] = []
  for (let at = 0; at < urls.length; at += AT_ONCE)
    hashes.push(...(await Promise.all(urls.slice(at, at + AT_ONCE).map((url) => storeDrawing(storage, url)))))
  await tx.query(sql`
    insert into photo_files (hash, width, height)
    select distinct hash, ${DRAWING_WIDTH}::int, ${DRAWING_HEIGHT}::int from unnest(${hashes}::text[]) as hash
    on conflict (hash) do update set used_at = now()`)
  await tx.query(sql`
    insert into photos (publicacion_id, app_id, url, hash, estado, settled_at)
    select p.id, p.app_id, drawing.url, drawing.hash, 'entregada', now()
    from unnest(${urls}::text[], ${hashes}::text[]) as drawing (url, hash)
    join publicaciones p on drawing.url = any (p.fotos) and p.id = any (${publicaciones.map(({ id }) => id)}::int[])`)
}

/** Returns the hash under which the copies are stored. */
async function storeDrawing(storage: PhotoStorage, url: string): Promise<string> {
  const drawing = Buffer.from(drawCar(url.split('/').at(-1) ?? '') ?? '')
  const hash = createHash('sha256').update(drawing).digest('hex')
  const widths = widthsOf(DRAWING_WIDTH)
  // The last one that is stored: an earlier demo has drawn them all.
  if (await storage.get(photoName(hash, widths.at(-1) ?? WIDTHS[0], 'jpg'))) return hash
  const { default: sharp } = await import('sharp') // loaded only here: other commands start without it
  const { data, info: raw } = await sharp(drawing).flatten().raw().toBuffer({ resolveWithObject: true })
  for (const width of widths) {
    const copy = sharp(data, { raw }).resize({ width })
    await storage.put(photoName(hash, width, 'webp'), await copy.clone().webp({ effort: 1 }).toBuffer(), FORMATS.webp)
    await storage.put(photoName(hash, width, 'jpg'), await copy.clone().jpeg().toBuffer(), FORMATS.jpg)
  }
  return hash
}
