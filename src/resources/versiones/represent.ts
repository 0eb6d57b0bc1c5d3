import type { VersionResult } from '../../catalogue/match/vehicle-matcher.ts'
import type { Version } from '../../catalogue/vehicles.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { carroceriaRef } from '../carrocerias/represent.ts'
import { marcaHref } from '../marcas/represent.ts'
import { modeloHref, modeloRef } from '../modelos/represent.ts'

const LIST = '/v3/versiones'

export const versionHref = ({ id }: Version) => `${LIST}/${id}`

export const versionEntry = (version: Version) => ({
  Marca: version.modelo.marca.nombre,
  Modelo: version.modelo.nombre,
  Nombre: version.nombre,
  Desde: version.desde,
  Hasta: version.hasta,
  Carroceria: version.carroceria && carroceriaRef(version.carroceria),
  Potencia: version.potencia,
  Cilindrada: version.cilindrada,
  Propulsion: version.propulsion,
  Transmision: version.transmision,
  _links: {
    self: link(versionHref(version)),
    modelo: link(modeloHref(version.modelo)),
    marca: link(marcaHref(version.modelo.marca)),
    versiones: link(withQuery(LIST, { modelo: version.modelo.id })),
  },
})

export const versionRef = (version: Version) => ({
  href: versionHref(version),
  title: `${version.modelo.marca.nombre} ${version.modelo.nombre} ${version.nombre}`,
})

const BESTMATCH =
  `${LIST}/bestmatch?make={make}&model={model}&trim={trim}&year={year}&bodystyle={bodystyle}` +
  '&transmissionType={transmissionType}&displacement={displacement}&power={power}&fuelType={fuelType}'

export const versionesLinks = (query: { modelo: number }): Links => ({
  self: link(withQuery(LIST, query)),
  modelo: link(`/v3/modelos/${query.modelo}`),
  bestmatch: link(BESTMATCH),
})

/** Every criterion there is, in the order of the address. */
export type Asked = Record<(typeof CRITERIA)[number], string | number | undefined>

const CRITERIA = [
  'make',
  'model',
  'trim',
  'year',
  'bodystyle',
  'transmissionType',
  'displacement',
  'power',
  'fuelType',
] as const

/** What was asked, the model it was understood to be, and the version where one is certain. */
export const versionMatch = (asked: Partial<Asked>, { modelo, match, candidates }: VersionResult) => ({
  Criteria: Object.fromEntries(CRITERIA.map((name) => [name, asked[name] ?? null])),
  Modelo: modeloRef(modelo),
  Match: match && versionEntry(match.entry),
  Candidates: candidates.map(({ entry, score }) => ({ ...versionRef(entry), Score: score })),
  _links: {
    self: link(withQuery(`${LIST}/bestmatch`, asked)),
    versiones: link(withQuery(LIST, { modelo: modelo.id })),
  },
})
