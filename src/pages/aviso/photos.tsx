import { readFileSync } from 'node:fs'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'

/** A car from its side, looking left: the catalogue's body styles that it stands for, its outline, glass and wheels. */
interface Silhouette {
  styles: string[]
  body: string
  glass: string
  wheels: number[]
}

/** Trailers, buggies and quads have none, because any outline would mislead. */
const SILHOUETTES: Silhouette[] = JSON.parse(readFileSync(new URL('./silhouettes.json', import.meta.url), 'utf8'))
const USUAL_STYLE = 'Hatchback'

/** The outline of a car without photos, by body style and colour. */
function Outline({ carroceria, colour }: { carroceria: string | null; colour: string | undefined }) {
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
  aviso: Pick<Publicacion, 'fotos' | 'carroceria'>
  name: string
  /** As a CSS colour. */
  colour: string | undefined
}

/** Photos side by side, which scroll; without photos, an outline of the car. */
export function Photos({ aviso: { fotos, carroceria }, name, colour }: PhotosProps) {
  if (fotos.length === 0)
    return (
      <div class="photos none">
        <Outline carroceria={carroceria} colour={colour} />
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
