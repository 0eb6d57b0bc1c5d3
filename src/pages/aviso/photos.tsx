import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'

/** A car from its side, looking left: its outline, its glass, and its wheels. */
interface Shape {
  body: string
  glass: string
  wheels: number[]
}

const WHEELS = [56, 184]

const SEDAN: Shape = {
  body: 'M12 76C10 66 14 60 26 57L62 50C74 40 84 33 104 32L140 32C158 33 170 42 182 50L216 54C228 56 231 64 229 76L224 80H16Z',
  glass: 'M72 50C82 41 90 38 106 37.5V50ZM112 37.5H138C150 38 160 44 168 50H112Z',
  wheels: WHEELS,
}
const HATCHBACK: Shape = {
  body: 'M14 76C12 66 16 60 28 57L62 50C74 38 86 32 106 31L164 32C184 33 198 46 208 56C214 62 215 70 213 76L208 80H18Z',
  glass: 'M72 50C82 40 90 37 106 36.5V50ZM112 36.5H150V50H112ZM156 36.8C172 37 182 43 190 50H156Z',
  wheels: [56, 174],
}
const COUPE: Shape = {
  body: 'M12 76C10 67 14 62 26 60L70 53C86 42 100 36 124 36C150 36 172 42 196 54L216 57C227 59 230 66 228 76L223 80H16Z',
  glass: 'M80 53C93 44 104 41 124 41V53ZM130 41.2C148 42 162 46 176 53H130Z',
  wheels: WHEELS,
}
const OPEN: Shape = {
  body: 'M12 76C10 67 14 62 26 60L76 53L96 38L100 40L91 54L146 54C152 49 160 49 166 54L196 55L216 57C227 59 230 66 228 76L223 80H16Z',
  glass: '',
  wheels: WHEELS,
}
const WAGON: Shape = {
  body: 'M12 76C10 66 14 60 26 57L60 50C72 40 82 33 102 32L196 33C208 34 216 44 222 54C228 62 229 70 228 76L223 80H16Z',
  glass: 'M70 50C80 41 88 38 104 37.5V50ZM110 37.5H150V50H110ZM156 37.6H192C200 38.5 206 44 209 50H156Z',
  wheels: WHEELS,
}
const SUV: Shape = {
  body: 'M14 74C12 60 16 54 28 51L58 45C68 31 80 24 100 23L176 24C194 25 204 36 212 48C218 56 220 66 218 74L213 80H18Z',
  glass: 'M68 45C77 33 86 29.5 102 29V45ZM108 29H146V45H108ZM152 29.2H172C184 30 192 38 197 45H152Z',
  wheels: [56, 180],
}
const PICKUP: Shape = {
  body: 'M10 74C9 60 13 54 25 51L56 46C66 32 76 26 94 25L126 26C134 27 139 34 142 46L226 46C231 46 232 50 232 54L230 76L226 80H14Z',
  glass: 'M66 46C74 34 82 31 95 30.5V46ZM101 30.5H122C129 31 132 38 134 46H101Z',
  wheels: WHEELS,
}
const PEOPLE_CARRIER: Shape = {
  body: 'M12 75C10 62 16 54 30 50L62 34C74 27 86 24 104 24L184 25C202 26 214 40 220 54C224 64 224 70 222 75L217 80H16Z',
  glass: 'M50 48L66 38C76 32 84 30 98 29.5V48ZM104 29.5H146V48H104ZM152 29.6H180C192 31 200 40 205 48H152Z',
  wheels: [54, 182],
}
const VAN_BODY = 'M12 74C10 62 14 54 26 50L44 34C52 24 62 20 78 20L216 20C226 20 229 25 229 34L229 74L224 80H16Z'
const PANEL_VAN: Shape = { body: VAN_BODY, glass: 'M46 50C54 36 62 29 80 28V50ZM86 28H112V50H86Z', wheels: [54, 188] }
const BUS: Shape = {
  body: VAN_BODY,
  glass: 'M46 50C54 36 62 29 80 28V50ZM86 28H128V50H86ZM134 28H176V50H134ZM182 28H222V50H182Z',
  wheels: [54, 188],
}
const LORRY: Shape = {
  body: 'M10 76V44C10 33 14 26 26 24H60V64H68V18H230V76L226 80H14Z',
  glass: 'M17 45C17 36 20 31 28 30H50V46H17Z',
  wheels: [38, 176, 206],
}

/** By the catalogue's body styles. Trailers, buggies and quads have none, because any outline would mislead. */
const SHAPES: Record<string, Shape> = {
  ...{ Sedán: SEDAN, Limusina: SEDAN, Hatchback: HATCHBACK, Microcoche: HATCHBACK },
  ...{ Fastback: COUPE, Coupé: COUPE, Cabriolet: OPEN, Roadster: OPEN, Rural: WAGON },
  ...{ SUV, Crossover: SUV, Todoterreno: SUV, 'Pick-up': PICKUP, Monovolumen: PEOPLE_CARRIER },
  ...{ Furgón: PANEL_VAN, Utilitario: PANEL_VAN, Ambulancia: PANEL_VAN },
  ...{ 'Van de pasajeros': BUS, Minibús: BUS, Ómnibus: BUS, 'Casa rodante': BUS },
  ...{ Camión: LORRY, 'Chasis con cabina': LORRY, 'Tractor de carretera': LORRY },
}

/** The outline of a car without photos, by body style and colour. */
function Silhouette({ carroceria, colour }: { carroceria: string | null; colour: string | undefined }) {
  const shape = carroceria === null ? HATCHBACK : SHAPES[carroceria]
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

interface Props {
  aviso: Pick<Publicacion, 'fotos' | 'carroceria'>
  /** The name of the car. */
  name: string
  /** As a CSS colour. */
  colour: string | undefined
}

/** Photos side by side, which scroll; without photos, an outline of the car. */
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
