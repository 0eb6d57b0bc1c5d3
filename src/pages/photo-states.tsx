import { explainPhotoError } from '../photos/errors.ts'
import { type Photo, photoHref, photosOf, type StoredPhoto } from '../photos/photo.ts'
import type { Db } from '../store/db.ts'

/** The first copied photo of each listing, for lists. */
export async function thumbnailsOf(
  db: Db,
  listings: readonly { id: number; fotos: readonly string[] }[],
): Promise<Map<number, StoredPhoto>> {
  const first = [...(await photosOf(db, listings))].flatMap(([id, photos]) => {
    const stored = photos.find((photo) => photo.stored)?.stored
    return stored ? [[id, stored] as const] : []
  })
  return new Map(first)
}

/** A listing's photo in a list, beside its name. Without a copy, an empty place of the same size. */
export const Thumbnail = ({ photo }: { photo: StoredPhoto | undefined }) =>
  photo ? (
    <img class="thumbnail" src={photoHref(photo, 320, 'webp')} alt="" width={96} height={72} loading="lazy" />
  ) : (
    <span class="thumbnail" aria-hidden="true" />
  )

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`)

/** What is still to be copied, and what cannot be: one line for a list. */
export function PhotoHint({ photos }: { photos: Photo[] }) {
  const pending = photos.filter(({ estado }) => estado === 'pendiente')
  const failed = photos.filter(({ estado }) => estado === 'fallida')
  if (pending.length + failed.length === 0) return null
  const reasons = [...new Set(failed.map(({ error }) => explainPhotoError(error ?? '')))]
  return (
    <p class="hint">
      {pending.length > 0 && `${counted(pending.length, 'Una foto', 'fotos')} en proceso. `}
      {failed.length > 0 &&
        `${counted(failed.length, 'Una foto no se muestra', 'fotos no se muestran')}: ${reasons.join(' ')}`}
    </p>
  )
}

/** Every photo of a listing, with the state of its copy. */
export const PhotoStates = ({ photos, name }: { photos: Photo[]; name: string }) => (
  <ul class="photo-states">
    {photos.map((photo, at) => (
      <li key={photo.url}>
        <PhotoState photo={photo} alt={`${name}, foto ${at + 1} de ${photos.length}`} />
      </li>
    ))}
  </ul>
)

function PhotoState({ photo: { url, estado, stored, error }, alt }: { photo: Photo; alt: string }) {
  if (stored)
    return (
      <a href={photoHref(stored, 640, 'webp')}>
        <img
          src={photoHref(stored, 320, 'webp')}
          alt={alt}
          width={stored.width}
          height={stored.height}
          loading="lazy"
        />
      </a>
    )
  const [tone, label] = estado === 'fallida' ? ['status-5', 'falló'] : ['warning', 'en proceso']
  return (
    <>
      <span class={`badge ${tone}`}>{label}</span>
      {error && <p>{explainPhotoError(error)}</p>}
      <a class="anywhere" href={url} rel="noreferrer">
        {url}
      </a>
    </>
  )
}
