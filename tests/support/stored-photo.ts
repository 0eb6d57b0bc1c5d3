import { createHash } from 'node:crypto'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { FORMATS, type Format, photoName, type StoredPhoto, WIDTHS } from '../../src/photos/photo.ts'
import type { TestServer } from './server.ts'

interface Given {
  publicacionId: number
  appId: number
  url: string
  background?: string
}

/** A listing's photo, copied as by a worker; each colour is a photo of its own. */
export async function storePhoto(
  { store, photoStorage }: TestServer,
  { publicacionId, appId, url, background = '#7aa' }: Given,
): Promise<StoredPhoto> {
  const [width, height] = [1920, 1440]
  const hash = createHash('sha256').update(background).digest('hex')
  for (const wide of WIDTHS)
    for (const format of Object.keys(FORMATS) as Format[]) {
      const image = sharp({ create: { width: wide, height: wide * 0.75, channels: 3, background } })
      const bytes = await image.toFormat(format === 'jpg' ? 'jpeg' : format).toBuffer()
      await photoStorage.put(photoName(hash, wide, format), bytes, FORMATS[format])
    }
  await store.query(sql`
    insert into photo_files (hash, width, height) values (${hash}, ${width}, ${height}) on conflict do nothing`)
  await store.query(sql`
    insert into photos (publicacion_id, app_id, url, hash, estado)
    values (${publicacionId}, ${appId}, ${url}, ${hash}, 'entregada')`)
  return { hash, width, height }
}
