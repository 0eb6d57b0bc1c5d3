import { t } from '../../i18n/messages.tsx'
import { isPartnersError } from '../../photos/errors.ts'
import { type Format, largestUpTo, type Photo, photoHref, widthsOf } from '../../photos/photo.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { SILHOUETTES } from '../../sandbox/fiction/silhouettes.ts'

const USUAL_STYLE = 'Hatchback'

/** The outline of a car without photos, by body style and colour. */
export function Outline({ carroceria, colour }: { carroceria: string | null; colour: string | undefined }) {
  const shape = SILHOUETTES.find(({ styles }) => styles.includes(carroceria ?? USUAL_STYLE))
  if (!shape) return null
  return (
    <svg class="silhouette" viewBox="0 0 240 100" aria-hidden="true">
      <ellipse class="ground" cx="120" cy="92" rx="112" ry="3.5" />
      <path class="body" d={shape.body} fill={colour ?? 'currentColor'} />
      <path class="glass" d={shape.glass} />
      {shape.wheels.map((x) => (
        <g key={x}>
          <circle class="tyre" cx={x} cy="78" r="14" />
          <circle class="rim" cx={x} cy="78" r="7" />
        </g>
      ))}
    </svg>
  )
}

interface PhotosProps {
  publicacion: Pick<Publicacion, 'carroceria'>
  photos: ShownPhoto[]
  name: string
  /** As a CSS colour. */
  colour: string | undefined
}

export type ShownPhoto = Pick<Photo, 'url' | 'stored'>

/** What is not copied yet is shown from the partner's server, unless it could not be fetched there. */
export const shownPhotos = (photos: Photo[]): ShownPhoto[] =>
  photos.filter(({ estado, error }) => estado !== 'fallida' && !(error && isPartnersError(error)))

/** Photos side by side, which scroll; with arrows, thumbnails and full screen by gallery.js. Without photos, an outline. */
export function Photos({ publicacion: { carroceria }, photos, name, colour }: PhotosProps) {
  if (photos.length === 0)
    return (
      <div class="photos none">
        <Outline carroceria={carroceria} colour={colour} />
        <p>{t('aviso.photos.none')}</p>
      </div>
    )
  const { length: count } = photos
  const altOf = (at: number) => t('aviso.photos.alt', { name, nth: at + 1, count })
  const several = photos.length > 1
  return (
    <div class="photos" data-gallery>
      <div class="stage">
        {/* It scrolls, so the keyboard must reach it. */}
        <ul tabindex={0} aria-label={t('aviso.photos.of', { name })}>
          {photos.map((photo, at) => (
            <li key={photo.url} id={`foto-${at + 1}`}>
              <a href={photo.stored ? photoHref(photo.stored, largestUpTo(photo.stored, 1920), 'webp') : photo.url}>
                <Picture photo={photo} alt={altOf(at)} isFirst={at === 0} />
              </a>
            </li>
          ))}
        </ul>
        {several && <p class="swipe">{t('aviso.photos.swipe', { count })}</p>}
        {several && <Steps />}
        <button type="button" class="over open" data-open>
          {t('aviso.photos.fullScreen')}
        </button>
      </div>
      {several && (
        <div class="thumbnails">
          {photos.map((photo, at) => (
            <a key={photo.url} href={`#foto-${at + 1}`} data-thumbnail aria-current={at === 0 ? 'true' : undefined}>
              <img
                src={photo.stored ? photoHref(photo.stored, 320, 'webp') : photo.url}
                alt={t('aviso.photos.see', { nth: at + 1 })}
                width={96}
                height={72}
                referrerpolicy="no-referrer"
                loading="lazy"
              />
            </a>
          ))}
        </div>
      )}
      <dialog class="viewer" aria-label={t('aviso.photos.of', { name })}>
        <img alt="" referrerpolicy="no-referrer" />
        {several && <Steps />}
        {several && <p class="over count" data-count aria-live="polite" />}
        <button type="button" class="over close" data-close>
          {t('aviso.photos.close')}
        </button>
      </dialog>
    </div>
  )
}

const Steps = () => (
  <>
    <button type="button" class="over previous" data-step="-1" aria-label={t('aviso.photos.previous')}>
      ‹
    </button>
    <button type="button" class="over next" data-step="1" aria-label={t('aviso.photos.next')}>
      ›
    </button>
  </>
)

/** Half of a wide screen, all of a narrow one. */
const SIZES = '(min-width: 56rem) 40rem, 100vw'

function Picture({ photo: { url, stored }, alt, isFirst }: { photo: ShownPhoto; alt: string; isFirst: boolean }) {
  const common = { decoding: 'async', loading: isFirst ? 'eager' : 'lazy' } as const
  if (!stored) return <img src={url} alt={alt} referrerpolicy="no-referrer" {...common} />
  const { width, height } = stored
  const srcset = (format: Format) =>
    widthsOf(width)
      .map((each) => `${photoHref(stored, each, format)} ${Math.min(each, width)}w`)
      .join(', ')
  return (
    <picture>
      <source type="image/webp" srcset={srcset('webp')} sizes={SIZES} />
      <img
        src={photoHref(stored, largestUpTo(stored, 1080), 'jpg')}
        alt={alt}
        srcset={srcset('jpg')}
        sizes={SIZES}
        width={width}
        height={height}
        {...common}
      />
    </picture>
  )
}
