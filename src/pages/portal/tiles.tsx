import type { ComponentChildren } from 'preact'

interface TileProps {
  label: string
  value: ComponentChildren
  /** Where more of it is. */
  href?: string | undefined
  /** What it means, or what to do. */
  hint?: ComponentChildren
}

/** A figure at a glance. */
export const Tile = ({ label, value, href, hint }: TileProps) => (
  <li class="tile">
    <strong>{value}</strong>
    {href ? <a href={href}>{label}</a> : label}
    {hint && <span class="hint">{hint}</span>}
  </li>
)

export const Tiles = ({ children }: { children: ComponentChildren }) => <ul class="tiles">{children}</ul>

const FIGURES = new Intl.NumberFormat('es-AR')
const PERCENT = new Intl.NumberFormat('es-AR', { style: 'percent', maximumFractionDigits: 1 })

/** A number as people here write it. */
export const inFigures = (value: number): string => FIGURES.format(value)

/** A part of a whole; nothing of nothing is said with a dash. */
export const inPercent = (part: number, whole: number): string => (whole === 0 ? '–' : PERCENT.format(part / whole))
