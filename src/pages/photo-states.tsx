import { t, textOrElse } from '../i18n/messages.tsx'
import { isPartnersError } from '../photos/errors.ts'
import { type Photo, photoHref, photosOf, type StoredPhoto } from '../photos/photo.ts'
import type { Db } from '../store/db.ts'
import { translateError } from '../webhooks/send/explain.ts'

/** The first copied photo of each listing, for lists. */
export async function thumbnailsOf(
  db: Db,
  publicaciones: readonly { id: number; fotos: readonly string[] }[],
): Promise<Map<number, StoredPhoto>> {
  const first = [...(await photosOf(db, publicaciones))].flatMap(([id, photos]) => {
    const stored = photos.find((photo) => photo.stored)?.stored
    return stored ? [[id, stored] as const] : []
  })
  return new Map(first)
}

/** The text of a stored code; other errors are texts in Spanish. */
function explainPhotoError(code: string): string {
  const [, status] = /^respuesta-(\d+)$/.exec(code) ?? []
  if (status) return t('aviso.photo.error.respuesta', { status })
  return textOrElse(`aviso.photo.error.${code}`, translateError(code))
}

/** What is still to be copied, and what cannot be: one line for a list. */
export function PhotoHint({ photos }: { photos: Photo[] }) {
  const isRetried = ({ estado, error }: Photo) => estado === 'pendiente' && error !== null && isPartnersError(error)
  const pending = photos.filter((photo) => photo.estado === 'pendiente' && !isRetried(photo))
  const retried = photos.filter(isRetried)
  const failed = photos.filter(({ estado }) => estado === 'fallida')
  if (pending.length + retried.length + failed.length === 0) return null
  const reasonsOf = (some: Photo[]) => [...new Set(some.map(({ error }) => explainPhotoError(error ?? '')))].join(' ')
  return (
    <p class="hint">
      {pending.length > 0 && `${t('aviso.photo.pending', { count: pending.length })} `}
      {retried.length > 0 && `${t('aviso.photo.retried', { count: retried.length, reasons: reasonsOf(retried) })} `}
      {failed.length > 0 && t('aviso.photo.failed', { count: failed.length, reasons: reasonsOf(failed) })}
    </p>
  )
}

/** Every photo of a listing, with the state of its copy. */
export const PhotoStates = ({ photos, name }: { photos: Photo[]; name: string }) => (
  <ul class="photo-states">
    {photos.map((photo, at) => (
      <li key={photo.url}>
        <PhotoState photo={photo} alt={t('aviso.photos.alt', { name, nth: at + 1, count: photos.length })} />
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
  const [tone, label] =
    estado === 'fallida' ? ['error', t('aviso.photo.isFailed')] : ['info', t('aviso.photo.isPending')]
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
