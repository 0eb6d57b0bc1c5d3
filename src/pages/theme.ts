import type { FastifyRequest } from 'fastify'
import { getOrInsert } from '../memoize.ts'

/** `auto` follows the system. */
export const THEMES = ['claro', 'auto', 'oscuro'] as const
export type Theme = (typeof THEMES)[number]

export const THEME_COOKIE = 'rodado_tema'

export const themeNamed = (name: string | undefined): Theme => THEMES.find((each) => each === name) ?? 'auto'

const themed = { claro: new WeakMap<Buffer, Buffer>(), oscuro: new WeakMap<Buffer, Buffer>() }

/** The page in the theme that its reader chose. A page that is rendered once for everybody is so for each theme. */
export function inThemeOf(request: FastifyRequest, html: string | Buffer): string | Buffer {
  const theme = themeNamed(request.server.cookies.values(request, THEME_COOKIE)[0])
  if (theme === 'auto') return html
  if (typeof html === 'string') return withTheme(html, theme)
  return getOrInsert(themed[theme], html, () => Buffer.from(withTheme(html.toString(), theme)))
}

const ATTRIBUTES = { claro: 'light', oscuro: 'dark' }

/** Sets the theme of <html>, and presses its button in the footer (`ThemeSwitch` in layout.tsx). */
const withTheme = (html: string, theme: keyof typeof ATTRIBUTES): string =>
  html
    .replace('<html ', `<html data-theme="${ATTRIBUTES[theme]}" `)
    .replace('value="auto" aria-pressed="true"', 'value="auto" aria-pressed="false"')
    .replace(`value="${theme}" aria-pressed="false"`, `value="${theme}" aria-pressed="true"`)
