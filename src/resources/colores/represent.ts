import type { Color } from '../../catalogue/load.ts'
import { type Links, link, withQuery } from '../../http/links.ts'

const href = ({ id }: Color) => `/v3/colores/${id}`

export const colorEntry = (color: Color) => ({
  Nombre: color.nombre,
  HtmlColor: color.html,
  _links: { self: link(href(color)), colores: link('/v3/colores') },
})

export const colorRef = (color: Color) => ({ href: href(color), title: color.nombre })

export const coloresLinks = (query: { q?: string; nombre?: string }): Links => ({
  self: link(withQuery('/v3/colores', { q: query.q, nombre: query.nombre })),
  buscar: link('/v3/colores?q={q}&nombre={nombre}'),
  bestmatch: link('/v3/colores/bestmatch?color={color}'),
})
