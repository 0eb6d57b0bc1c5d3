import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { Silhouette } from './silhouette.tsx'

interface Props {
  aviso: Pick<Publicacion, 'fotos' | 'carroceria'>
  /** As the page calls the car. */
  name: string
  /** Of the catalogue, as CSS has it. */
  colour: string | undefined
}

/** Photos side by side, moved by a finger, a wheel or the keyboard; without any, the outline of such a car. */
export function Photos({ aviso: { fotos, carroceria }, name, colour }: Props) {
  if (fotos.length === 0)
    return (
      <div class="photos none">
        <Silhouette carroceria={carroceria} colour={colour} />
        <p>Sin fotos por ahora</p>
      </div>
    )
  return (
    <div class="photos">
      {/* It scrolls, so the keyboard must reach it. */}
      <ul tabindex={0} aria-label={`Fotos de ${name}`}>
        {fotos.map((href, at) => (
          <li key={href}>
            <img
              src={href}
              alt={`${name}, foto ${at + 1} de ${fotos.length}`}
              referrerpolicy="no-referrer"
              decoding="async"
              loading={at === 0 ? 'eager' : 'lazy'}
            />
          </li>
        ))}
      </ul>
      {fotos.length > 1 && <p class="hint">{fotos.length} fotos: deslice para ver más.</p>}
    </div>
  )
}
