import type { Carroceria } from '../../catalogue/load.ts'
import { type Links, link } from '../../http/links.ts'

const LIST = '/v3/carrocerias'

const href = ({ id }: Carroceria) => `${LIST}/${id}`

export const carroceriaEntry = (carroceria: Carroceria) => ({
  Nombre: carroceria.nombre,
  Codenames: carroceria.codenames,
  _links: { self: link(href(carroceria)), carrocerias: link(LIST) },
})

/** Body styles have no Ref form of their own; this one names them in other answers, among candidates for example. */
export const carroceriaRef = (carroceria: Carroceria) => ({ href: href(carroceria), title: carroceria.nombre })

export const carroceriasLinks = (): Links => ({
  self: link(LIST),
  bestmatch: link(`${LIST}/bestmatch?bodystyle={bodystyle}`),
})
