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
