import { hash } from 'node:crypto'
import type { Brand } from './brand.ts'
import { type Accent, accentOf, type Palette } from './colour.ts'

const variables = ({ accent, onAccent, mark }: Palette): string =>
  `--accent:${accent};--on-accent:${onAccent};--mark:${mark}`

/** After the stylesheet of our pages. The theme is the system's, or the one that somebody chose (`data-theme`). */
const write = ({ claro, oscuro }: Accent): string =>
  `:root{${variables(claro)}}\n` +
  `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${variables(oscuro)}}}\n` +
  `:root[data-theme="dark"]{${variables(oscuro)}}\n`

const FILE = /^([0-9a-f]{6})-([0-9a-f]{6})\.css$/

/**
 * The stylesheet of two colours. They are in its name, so that every node serves it, also one that has not yet heard of a
 * change; undefined for any other name.
 */
export function stylesheetFor(file: string): { css: string; version: string } | undefined {
  const [, light, dark] = FILE.exec(file) ?? []
  if (!light || !dark) return undefined
  const css = write(accentOf(`#${light}`, `#${dark}`))
  return { css, version: hash('sha256', css, 'hex').slice(0, 12) }
}

/** The address of the brand's stylesheet; undefined while it has our colours. */
export function stylesheetPath({ accent }: Brand): string | undefined {
  if (!accent) return undefined
  const file = `${accent.claro.accent.slice(1)}-${accent.oscuro.accent.slice(1)}.css`
  return `/assets/marca/colores/${file}?v=${stylesheetFor(file)?.version}`
}
