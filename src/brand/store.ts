import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import type { Db, Store } from '../store/db.ts'
import { keepFresh } from '../store/keep-fresh.ts'
import type { Listener } from '../store/listener.ts'
import {
  type BrandImage,
  type BrandSettings,
  type BrandSource,
  brandOf,
  fixedBrand,
  IMAGE_SLOTS,
  type ImageSlot,
  NOTHING_STORED,
  type StoredBrand,
} from './brand.ts'

/** What is changed; null restores a default, and what is absent stays. */
export interface BrandChange extends Partial<Omit<StoredBrand, 'images'>> {
  images?: Partial<Record<ImageSlot, BrandImage | null>>
}

type Row = Omit<StoredBrand, 'images'> & Record<ImageSlot, string | null>

const COLUMNS = sql`
  nombre, color, color_oscuro as "colorOscuro", remitente_nombre as "remitenteNombre", remitente_mail as "remitenteMail",
  soporte_mail as "soporteMail", soporte_url as "soporteUrl", enlaces, logo, logo_oscuro as "logoOscuro", favicon`

export async function readBrand(db: Db): Promise<StoredBrand> {
  const [row] = await db.query<Row>(sql`select ${COLUMNS} from brand`)
  if (!row) return NOTHING_STORED
  const { logo, logoOscuro, favicon, ...texts } = row
  const hashes = { logo, logoOscuro, favicon }
  const found = await db.query<BrandImage>(sql`
    select hash, ancho, alto, bytes from brand_images where hash = any(${Object.values(hashes).filter(Boolean)})`)
  const images = IMAGE_SLOTS.flatMap((slot) => {
    const image = found.find(({ hash }) => hash === hashes[slot])
    return image ? [[slot, image] as const] : []
  })
  return { ...texts, images: Object.fromEntries(images) }
}

/** An image that was replaced is kept: emails that were sent show it. */
export const findBrandImage = (db: Db, hash: string): Promise<BrandImage | undefined> =>
  db.first<BrandImage>(sql`select hash, ancho, alto, bytes from brand_images where hash = ${hash}`)

/** Locks what is stored until the transaction ends. */
export async function lockBrand(tx: Db): Promise<StoredBrand> {
  await tx.query(sql`insert into brand (id) values (1) on conflict do nothing`)
  await tx.query(sql`select from brand for update`)
  return readBrand(tx)
}

/** Stores a change; every node shows it a moment later. */
export async function saveBrand(tx: Db, { images = {}, ...texts }: BrandChange): Promise<StoredBrand> {
  const now = await lockBrand(tx)
  for (const image of Object.values(images)) if (image) await insertImage(tx, image)
  const next = { ...now, ...texts, images: { ...now.images, ...images } }
  const hashOf = (slot: ImageSlot) => next.images[slot]?.hash ?? null
  await tx.query(sql`
    update brand
    set nombre = ${next.nombre}, color = ${next.color}, color_oscuro = ${next.colorOscuro},
        remitente_nombre = ${next.remitenteNombre}, remitente_mail = ${next.remitenteMail},
        soporte_mail = ${next.soporteMail}, soporte_url = ${next.soporteUrl},
        enlaces = ${JSON.stringify(next.enlaces)}::jsonb, logo = ${hashOf('logo')},
        logo_oscuro = ${hashOf('logoOscuro')}, favicon = ${hashOf('favicon')}, updated_at = now()`)
  return readBrand(tx)
}

const insertImage = (tx: Db, { hash, ancho, alto, bytes }: BrandImage) =>
  tx.query(sql`
    insert into brand_images (hash, ancho, alto, bytes) values (${hash}, ${ancho}, ${alto}, ${bytes})
    on conflict do nothing`)

/** The brand in force, for a command, which does not follow changes. */
export const storedBrand = async (db: Db, settings: BrandSettings): Promise<BrandSource> =>
  fixedBrand(brandOf(await readBrand(db), settings))

/** For a listener that receives nothing, behind a pooler. */
const REREAD_MS = 60_000

/** The brand in memory, read again when it changed. */
export async function openBrand(
  store: Store,
  listener: Pick<Listener, 'on' | 'onGap'>,
  settings: BrandSettings,
): Promise<BrandSource & { close(): void }> {
  let stored = await readBrand(store)
  let brand = brandOf(stored, settings)

  async function read(): Promise<void> {
    const now = await readBrand(store)
    // Keep the object while nothing has changed: pages are rendered once for each brand.
    if (isDeepStrictEqual(now, stored)) return
    stored = now
    brand = brandOf(now, settings)
  }
  const { refresh, close } = keepFresh({ listener, channel: 'brand', read, everyMs: REREAD_MS })
  return { current: () => brand, refresh, close }
}
