import type { Modelo } from '../../catalogue/vehicles.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { carroceriaRef } from '../carrocerias/represent.ts'
import { marcaHref } from '../marcas/represent.ts'

const LIST = '/v3/modelos'

export const modeloHref = ({ id }: Modelo) => `${LIST}/${id}`

export const modeloEntry = (modelo: Modelo) => ({
  Marca: modelo.marca.nombre,
  Nombre: modelo.nombre,
  Codename: modelo.codename,
  Carrocerias: modelo.carrocerias.map(carroceriaRef),
  Versiones: { _links: { self: link(`/v3/versiones?modelo=${modelo.id}`) } },
  _links: {
    self: link(modeloHref(modelo)),
    marca: link(marcaHref(modelo.marca)),
    modelos: link(withQuery(LIST, { marca: modelo.marca.id })),
  },
})

export const modeloRef = (modelo: Modelo) => ({
  href: modeloHref(modelo),
  title: `${modelo.marca.nombre} ${modelo.nombre}`,
})

export const modelosLinks = (query: {
  marca?: number | undefined
  q?: string | undefined
  soloMercadoNuevos?: true | undefined
}): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?marca={marca}&q={q}&soloMercadoNuevos={soloMercadoNuevos}`),
  bestmatch: link(`${LIST}/bestmatch?make={make}&model={model}&bodystyle={bodystyle}`),
  marcas: link('/v3/marcas'),
})
