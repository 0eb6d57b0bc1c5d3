/** WCAG 2.2, 1.4.3: text of normal size, and the label of a button. */
export const MIN_CONTRAST = 4.5

/** The backgrounds of pages and emails on which the colour is text; the label of a button is white or nearly black. */
const GROUNDS = {
  claro: { grounds: ['#ffffff', '#f3f4f0', '#f1f4f3'], label: '#ffffff', towards: '#000000', surface: '#ffffff' },
  oscuro: { grounds: ['#0b0e0f', '#1a2023', '#1d2426'], label: '#0b0e0f', towards: '#ffffff', surface: '#171c1e' },
} as const

export type BrandTheme = keyof typeof GROUNDS

/** The colours of one theme. */
interface Palette {
  accent: string
  /** The label of a button. */
  onAccent: string
  /** The background of what is marked. */
  mark: string
}

export type Accent = Record<BrandTheme, Palette>

/** A colour that cannot be read, and the nearest of the same hue that can. */
export interface ContrastFault {
  ratio: number
  /** The background, or the label of a button. */
  against: string
  use: 'texto' | 'boton'
  nearest: string
}

/** Lower-case #rrggbb, or undefined. */
export function parseColour(text: string): string | undefined {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase()
  return hex && `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
}

/** Undefined where the colour is readable in that theme, as text and as a button. */
export function contrastFault(colour: string, theme: BrandTheme): ContrastFault | undefined {
  const worst = lowest(colour, theme)
  return worst.ratio >= MIN_CONTRAST ? undefined : { ...worst, nearest: nearestReadable(colour, theme) }
}

/** Without a colour for the dark theme it is the nearest readable one. */
export const accentOf = (light: string, dark = nearestReadable(light, 'oscuro')): Accent => ({
  claro: palette(light, 'claro'),
  oscuro: palette(dark, 'oscuro'),
})

const palette = (accent: string, theme: BrandTheme): Palette => ({
  accent,
  onAccent: GROUNDS[theme].label,
  mark: markOf(accent, theme),
})

const markOf = (accent: string, theme: BrandTheme): string => mix(GROUNDS[theme].surface, accent, 0.1)

function lowest(colour: string, theme: BrandTheme): Omit<ContrastFault, 'nearest'> {
  const { grounds, label } = GROUNDS[theme]
  const uses = [
    ...[...grounds, markOf(colour, theme)].map((against) => ({ against, use: 'texto' as const })),
    { against: label, use: 'boton' as const },
  ]
  const [worst] = uses
    .map((each) => ({ ...each, ratio: contrast(colour, each.against) }))
    .sort((a, b) => a.ratio - b.ratio)
  return worst as NonNullable<typeof worst>
}

const STEPS = 256

/** The first readable colour on the way to black, or to white. */
function nearestReadable(colour: string, theme: BrandTheme): string {
  for (let step = 0; step <= STEPS; step++) {
    const mixed = mix(colour, GROUNDS[theme].towards, step / STEPS)
    if (lowest(mixed, theme).ratio >= MIN_CONTRAST) return mixed
  }
  return GROUNDS[theme].towards
}

/** WCAG 2.2: from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function mix(from: string, to: string, share: number): string {
  const target = channels(to)
  const mixed = channels(from).map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
