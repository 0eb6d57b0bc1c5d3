import { hash } from 'node:crypto'
import type { Brand } from './brand.ts'
import { type Accent, accentOf } from './colour.ts'

/** After the stylesheet of our pages (assets/css/tokens.css); the browser picks by the theme. */
const write = ({ claro, oscuro }: Accent): string =>
  `:root{--accent:light-dark(${claro.accent},${oscuro.accent});` +
  `--on-accent:light-dark(${claro.onAccent},${oscuro.onAccent});--mark:light-dark(${claro.mark},${oscuro.mark})}\n`

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
