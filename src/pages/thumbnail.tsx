import type { ComponentChildren } from 'preact'
import { photoHref, type StoredPhoto } from '../photos/photo.ts'
import { autoOf, type Consulta } from '../resources/consultas/consulta.ts'
import type { Publicacion } from '../resources/publicaciones/publicacion.ts'
import { Outline } from './aviso/photos.tsx'
import type { SignedInContext } from './signed-in.ts'

/** A car as lists show it. */
export interface ShownCar {
  car: Pick<Publicacion, 'carroceria' | 'color'>
  /** Our copy of its first photo. */
  photo?: StoredPhoto | undefined
}

interface ThumbnailProps extends ShownCar {
  ctx: Pick<SignedInContext, 'cssColour'>
}

/** A small picture of a car: its photo, or else drawn by body style and colour. The text beside it names the car. */
export const Thumbnail = ({ car: { carroceria, color }, photo, ctx }: ThumbnailProps) => (
  <span class="thumbnail">
    {photo ? (
      <img src={photoHref(photo, 320, 'webp')} alt="" width={96} height={72} loading="lazy" />
    ) : (
      <Outline carroceria={carroceria} colour={ctx.cssColour(color)} />
    )}
  </span>
)

export const WithThumbnail = ({ children, ...props }: ThumbnailProps & { children: ComponentChildren }) => (
  <div class="with-thumbnail">
    <Thumbnail {...props} />
    <div>{children}</div>
  </div>
)

/** The car of an inquiry, as it was when it arrived. */
export function carOf(row: Pick<Consulta, 'auto'>): ThumbnailProps['car'] {
  const { BodyType, Color } = autoOf(row)
  return { carroceria: BodyType, color: Color }
}
