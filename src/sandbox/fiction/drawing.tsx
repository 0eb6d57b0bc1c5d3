import { renderToString } from 'preact-render-to-string'
import { fold } from '../../catalogue/text.ts'
import { SILHOUETTES, type Silhouette } from './silhouettes.ts'

/** A body style in an address: `Pick-up` is `pickup`. */
const slugOf = (carroceria: string): string => fold(carroceria).replace(/[^a-z0-9]/g, '')

const BY_SLUG = new Map(SILHOUETTES.flatMap((shape) => shape.styles.map((style) => [slugOf(style), shape] as const)))

/** Where the car stands: the colours of the sky from above to the horizon, of what is behind, and of the ground. */
const SCENES = [
  { sky: ['#8fc1ea', '#e3f0f8'], behind: '#b4c8d3', near: '#93ab8c', ground: ['#83898f', '#686e74'], mirrored: false },
  { sky: ['#39406b', '#f0a878'], behind: '#6b5a78', near: '#4c4a5c', ground: ['#5c5963', '#3e3c46'], mirrored: true },
  { sky: ['#eceef0', '#f7f8f9'], behind: '#dde1e5', near: '#cfd4d9', ground: ['#c6cbd0', '#eceff1'], mirrored: false },
] as const

const SKYLINE =
  'M0 250V206H46V178H92V214H128V160H176V198H214V184H262V220H318V170H352V150H398V204H452V188H506V166H548V210H594V192H640V250Z'

/** Where the server serves drawings. */
export const DRAWINGS = '/dibujos/'
export const DRAWING_WIDTH = 640
export const DRAWING_HEIGHT = 480

/** The names of the drawings of a car, which say everything about them. */
export const drawingNames = (carroceria: string, html: string): string[] =>
  SCENES.map((_, at) => `${slugOf(carroceria)}-${html.replace('#', '').toLowerCase()}-${at + 1}.svg`)

/** A drawing of a car as SVG; undefined if there is none of that name. */
export function drawCar(name: string): string | undefined {
  const [, slug = '', colour = '', view = ''] = /^([a-z0-9]+)-([0-9a-f]{6})-(\d)\.svg$/.exec(name) ?? []
  const shape = BY_SLUG.get(slug)
  const scene = SCENES[Number(view) - 1]
  return shape && scene && renderToString(<Drawing shape={shape} scene={scene} colour={`#${colour}`} />)
}

interface DrawingProps {
  shape: Silhouette
  scene: (typeof SCENES)[number]
  colour: string
}

/** A car of 240 × 100 in a picture of 640 × 480. */
const Drawing = ({ shape, scene, colour }: DrawingProps) => (
  <svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 640 480"
    width={DRAWING_WIDTH}
    height={DRAWING_HEIGHT}
    aria-hidden="true"
  >
    <defs>
      <Shade id="sky" colours={scene.sky} />
      <Shade id="ground" colours={scene.ground} />
      <linearGradient id="shine" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#fff" stop-opacity=".5" />
        <stop offset=".45" stop-color="#fff" stop-opacity=".08" />
        <stop offset=".62" stop-color="#000" stop-opacity=".06" />
        <stop offset="1" stop-color="#000" stop-opacity=".45" />
      </linearGradient>
      <linearGradient id="glass" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="#5d7385" />
        <stop offset=".5" stop-color="#26323d" />
        <stop offset="1" stop-color="#151b22" />
      </linearGradient>
      <clipPath id="car">
        <path d={shape.body} />
      </clipPath>
    </defs>
    <rect width="640" height="480" fill="url(#sky)" />
    <path d={SKYLINE} fill={scene.behind} />
    <rect y="236" width="640" height="30" fill={scene.near} />
    <rect y="262" width="640" height="218" fill="url(#ground)" />
    <path d="M0 446H640" stroke="#fff" stroke-opacity=".35" stroke-width="6" stroke-dasharray="70 46" />
    <g transform={scene.mirrored ? 'translate(608 180) scale(-2.4 2.4)' : 'translate(32 180) scale(2.4)'}>
      <Car shape={shape} colour={colour} />
    </g>
  </svg>
)

const Shade = ({ id, colours: [above, below] }: { id: string; colours: readonly [string, string] }) => (
  <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color={above} />
    <stop offset="1" stop-color={below} />
  </linearGradient>
)

function Car({ shape: { body, glass, wheels }, colour }: Pick<DrawingProps, 'shape' | 'colour'>) {
  const [front = 0, rear = 0] = [wheels[0], wheels.at(-1)]
  const middle = (front + rear) / 2
  return (
    <>
      <ellipse cx="120" cy="92" rx="116" ry="5" fill="#000" fill-opacity=".35" />
      <path d={body} fill={colour} stroke="#0b0e11" stroke-opacity=".45" stroke-width=".7" />
      <path d={body} fill="url(#shine)" />
      <g clip-path="url(#car)" fill="none" stroke="#000" stroke-opacity=".3" stroke-width=".7">
        <path d={`M${front + 46} 48V78M${middle + 32} 48V78`} />
        <path d={`M${front - 30} 57H${rear + 40}`} stroke="#fff" stroke-opacity=".35" />
        <path d={`M${middle + 20} 59.5h8`} stroke-opacity=".6" stroke-width="1.4" />
        <path d="M0 77H240" stroke="#15191d" stroke-opacity=".8" stroke-width="6" />
        <ellipse cx={front - 40} cy="61" rx="10" ry="4" fill="#fff7da" stroke="none" />
        <ellipse cx={rear + 45} cy="60" rx="8" ry="5" fill="#c81e1e" stroke="none" />
      </g>
      {wheels.map((x) => (
        <g key={x}>
          <circle cx={x} cy="78" r="16" fill="#0f1215" />
          <circle cx={x} cy="78" r="13.5" fill="#23282d" />
          <circle cx={x} cy="78" r="8.5" fill="#aeb6bd" />
          <path
            d={`M${x} 70V86M${x - 8} 78H${x + 8}M${x - 5.6} 72.4L${x + 5.6} 83.6M${x - 5.6} 83.6L${x + 5.6} 72.4`}
            stroke="#4b535a"
            stroke-width="1.8"
          />
          <circle cx={x} cy="78" r="2.6" fill="#5d666e" />
        </g>
      ))}
      {glass && <path d={glass} fill="url(#glass)" stroke="#0b0e11" stroke-opacity=".6" stroke-width=".8" />}
    </>
  )
}
