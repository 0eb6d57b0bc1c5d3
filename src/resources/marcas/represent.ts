import type { Marca } from '../../catalogue/load.ts'
import { type Links, link, withQuery } from '../../http/links.ts'

const LIST = '/v3/marcas'

export const marcaHref = ({ id }: Marca) => `${LIST}/${id}`

export const marcaEntry = (marca: Marca) => ({
  Nombre: marca.nombre,
  Codenames: marca.codenames,
  Modelos: { _links: { self: link(`/v3/modelos?marca=${marca.id}`) } },
  _links: { self: link(marcaHref(marca)), marcas: link(LIST) },
})

export const marcaRef = (marca: Marca) => ({ href: marcaHref(marca), title: marca.nombre })

export const marcasLinks = (query: { q?: string | undefined; soloMercadoNuevos?: true | undefined }): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?q={q}&soloMercadoNuevos={soloMercadoNuevos}`),
  bestmatch: link(`${LIST}/bestmatch?make={make}`),
})
