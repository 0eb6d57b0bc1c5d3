import type { Color } from '../../catalogue/load.ts'
import { type Links, link, withQuery } from '../../http/links.ts'

const LIST = '/v3/colores'

const href = ({ id }: Color) => `${LIST}/${id}`

export const colorEntry = (color: Color) => ({
  Nombre: color.nombre,
  HtmlColor: color.html,
  _links: { self: link(href(color)), colores: link(LIST) },
})

export const colorRef = (color: Color) => ({ href: href(color), title: color.nombre })

export const coloresLinks = (query: { q?: string | undefined; nombre?: string | undefined }): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?q={q}&nombre={nombre}`),
  bestmatch: link(`${LIST}/bestmatch?color={color}`),
})
