import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Region as RegionRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { catalogueRoutes, matched } from '../../http/catalogue-routes.ts'
import { type Links, link } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import { OwnValue } from '../../http/schemas.ts'

const Region = Type.Object(
  {
    Nombre: Type.String({ examples: ['Ciudad Autónoma de Buenos Aires'] }),
    Iso: Type.String({ description: 'Código ISO 3166-2', examples: ['AR-C'] }),
    Ciudades: Type.Object({ _links: Type.Ref('Links') }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Region' },
)

const RegionesQuery = Type.Object({})

const BestmatchQuery = Type.Object({
  state: OwnValue('Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región', 'Capital Federal'),
})

const LIST = '/v3/regiones'

export const regionHref = ({ id }: RegionRow) => `${LIST}/${id}`

const regionEntry = (region: RegionRow) => ({
  Nombre: region.nombre,
  Iso: region.iso,
  Ciudades: { _links: { self: link(`/v3/ciudades?region=${region.id}`) } },
  _links: { self: link(regionHref(region)), regiones: link(LIST) },
})

export const regionRef = (region: RegionRow) => ({ href: regionHref(region), title: region.nombre })

const regionesLinks = (): Links => ({ self: link(LIST), bestmatch: link(`${LIST}/bestmatch?state={state}`) })

/** GET /v3/regiones, /v3/regiones/bestmatch, /v3/regiones/{id} */
export function regionesRoutes(
  app: FastifyInstance,
  media: Media,
  regiones: readonly RegionRow[],
  matcher: Matcher,
): void {
  catalogueRoutes(app, media, {
    segment: 'regiones',
    tag: 'Regiones',
    one: 'Region',
    list: 'Regiones',
    called: 'la región',
    schema: Region,
    rows: regiones,
    represent: { entry: regionEntry, ref: regionRef },
    query: RegionesQuery,
    select: () => ({ name: 'todas', links: regionesLinks, rows: regiones }),
    bestmatch: { query: BestmatchQuery, match: ({ state }) => matched(matcher.region(state), regionRef) },
  })
}
