import type { FastifyRequest } from 'fastify'
import { createContext } from 'preact'

/** `auto` follows the system. */
export const THEMES = ['claro', 'auto', 'oscuro'] as const
export type Theme = (typeof THEMES)[number]

export const THEME_COOKIE = 'rodado_tema'

export const themeNamed = (name: string | undefined): Theme => THEMES.find((each) => each === name) ?? 'auto'

/** The theme that the reader chose, which every page has. */
export const themeOf = (request: FastifyRequest): Theme =>
  themeNamed(request.server.cookies.values(request, THEME_COOKIE)[0])

export const ThemeContext = createContext<Theme>('auto')

/** The values of `data-theme`; the stylesheet follows the system without one. */
export const THEME_ATTRIBUTES: Record<Theme, string | undefined> = { claro: 'light', auto: undefined, oscuro: 'dark' }
