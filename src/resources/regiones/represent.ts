import type { Region } from '../../catalogue/load.ts'
import { type Links, link } from '../../http/links.ts'

const LIST = '/v3/regiones'

export const regionHref = ({ id }: Region) => `${LIST}/${id}`

export const regionEntry = (region: Region) => ({
  Nombre: region.nombre,
  Iso: region.iso,
  Ciudades: { _links: { self: link(`/v3/ciudades?region=${region.id}`) } },
  _links: { self: link(regionHref(region)), regiones: link(LIST) },
})

export const regionRef = (region: Region) => ({ href: regionHref(region), title: region.nombre })

export const regionesLinks = (): Links => ({ self: link(LIST), bestmatch: link(`${LIST}/bestmatch?state={state}`) })
