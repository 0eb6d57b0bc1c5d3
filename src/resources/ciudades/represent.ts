import type { Ciudad } from '../../catalogue/load.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { regionHref } from '../regiones/represent.ts'

const LIST = '/v3/ciudades'

const href = ({ id }: Ciudad) => `${LIST}/${id}`

export const ciudadEntry = (ciudad: Ciudad) => ({
  Nombre: ciudad.nombre,
  Region: ciudad.region.nombre,
  _links: { self: link(href(ciudad)), region: link(regionHref(ciudad.region)) },
})

export const ciudadRef = (ciudad: Ciudad) => ({
  href: href(ciudad),
  title: `${ciudad.nombre} (${ciudad.region.nombre})`,
})

export const ciudadesLinks = (query: { region?: number | undefined; q?: string | undefined }): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?region={region}&q={q}`),
  bestmatch: link(`${LIST}/bestmatch?state={state}&city={city}`),
  regiones: link('/v3/regiones'),
})
