import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/** The widths of the copies. A photo has those up to its own width, and the first above it, which is not enlarged. */
export const WIDTHS = [320, 640, 1080, 1920] as const
export const FORMATS = { webp: 'image/webp', jpg: 'image/jpeg' } as const

export type Format = keyof typeof FORMATS
export type PhotoWidth = (typeof WIDTHS)[number]

/** A copy that is stored: its address depends on its content. */
export interface StoredPhoto {
  hash: string
  width: number
  height: number
}

/** Where copies are stored. Names are `{hash}/{width}.{format}`; what is stored under a name never changes. */
export interface PhotoStorage {
  put(name: string, bytes: Buffer, type: string, signal?: AbortSignal): Promise<void>
  get(name: string): Promise<Buffer | undefined>
  has(name: string, signal?: AbortSignal): Promise<boolean>
  remove(name: string): Promise<void>
}

export const ESTADOS_FOTO = ['pendiente', 'lista', 'fallida'] as const

/** A photo of a listing, by the address that the partner gave. */
export interface Photo {
  url: string
  estado: (typeof ESTADOS_FOTO)[number]
  stored: StoredPhoto | undefined
  /** Of the last attempt. */
  error: string | null
}

export const widthsOf = (width: number): PhotoWidth[] =>
  WIDTHS.filter((_, at) => at === 0 || (WIDTHS[at - 1] as number) < width)

export const photoName = (hash: string, width: PhotoWidth, format: Format): string => `${hash}/${width}.${format}`

/** The names of a photo's files in these widths. */
export const photoNames = (hash: string, widths: readonly PhotoWidth[]): string[] =>
  widths.flatMap((width) => (Object.keys(FORMATS) as Format[]).map((format) => photoName(hash, width, format)))

export const photoHref = ({ hash }: StoredPhoto, width: PhotoWidth, format: Format): string =>
  `/fotos/${photoName(hash, width, format)}`

/**
 * The files of a photo are not stored while they are removed. Several may store them at once. False if the lock is taken;
 * nobody waits for it. An advisory lock: locking a row gives the transaction an id, which holds back every feed
 * (store/feed.ts).
 */
export async function tryLockPhoto(tx: Db, hash: string, purpose: 'store' | 'remove'): Promise<boolean> {
  const key = sql`hashtextextended(${`photo ${hash}`}, 0)`
  const [lock] = await tx.query<{ isLocked: boolean }>(
    purpose === 'store'
      ? sql`select pg_try_advisory_xact_lock_shared(${key}) as "isLocked"`
      : sql`select pg_try_advisory_xact_lock(${key}) as "isLocked"`,
  )
  return lock?.isLocked === true
}

/** `used_at` of a photo whose removal has begun: its files may be gone at any time, so nobody relies on them. */
export const REMOVAL_BEGUN = sql`'-infinity'::timestamptz`

/** The widest copy of at most that width. */
export const largestUpTo = ({ width }: StoredPhoto, most: PhotoWidth): PhotoWidth =>
  widthsOf(width).findLast((each) => each <= most) ?? WIDTHS[0]

interface Row extends StoredPhoto {
  publicacionId: number
  url: string
  estado: string
  error: string | null
}

/** The photos of listings, in the order of `fotos`. Those that are not queued yet are pending. */
export async function photosOf(
  db: Db,
  publicaciones: readonly { id: number; fotos: readonly string[] }[],
): Promise<Map<number, Photo[]>> {
  const ids = publicaciones.filter(({ fotos }) => fotos.length > 0).map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db.query<Row>(sql`
          select p.publicacion_id as "publicacionId", p.url, p.estado, p.last_error as error, f.hash, f.width, f.height
          from photos p left join photo_files f on f.hash = p.hash
          where p.publicacion_id = any (${ids}::int[])`)
  const known = new Map(rows.map((row) => [`${row.publicacionId} ${row.url}`, row]))
  return new Map(
    publicaciones.map(({ id, fotos }) => [id, fotos.map((url) => photoFrom(url, known.get(`${id} ${url}`)))] as const),
  )
}

function photoFrom(url: string, row: Row | undefined): Photo {
  if (!row) return { url, estado: 'pendiente', stored: undefined, error: null }
  const { hash, width, height, error } = row
  // Also while it is fetched again: the copies are there.
  if (hash !== null) return { url, estado: 'lista', stored: { hash, width, height }, error: null }
  return { url, estado: row.estado === 'fallida' ? 'fallida' : 'pendiente', stored: undefined, error }
}

/** Fetches the failed photos of a listing again; returns how many there are. */
export const retryPhotos = (db: Db, publicacionId: number): Promise<number> =>
  retry(db, sql`publicacion_id = ${publicacionId} and estado = 'fallida'`)

/** Fetches the failed photos of all listings again; `all` also fetches those that have copies. */
export const retryAllPhotos = (db: Db, which: 'failed' | 'all'): Promise<number> =>
  retry(db, which === 'all' ? sql`estado <> 'pendiente'` : sql`estado = 'fallida'`)

const BATCH = 1_000

async function retry(db: Db, condition: Sql): Promise<number> {
  let count = 0
  for (let last = 0; ; ) {
    const rows = await db.query<{ id: number }>(sql`
      with chosen as (
        select id from photos where id > ${last} and ${condition} order by id limit ${BATCH} for update)
      update photos p set estado = 'pendiente', attempts = 0, due_at = now(), settled_at = null, last_error = null
      from chosen where p.id = chosen.id returning p.id`)
    if (rows.length === 0) return count
    db.notify('photos')
    count += rows.length
    last = Math.max(...rows.map(({ id }) => id))
  }
}
