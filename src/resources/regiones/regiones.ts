import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Region as RegionRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import {
  bestmatchRoute,
  type CatalogueRoutes,
  listRoute,
  matched,
  oneRoute,
  SerializedCatalogue,
} from '../../http/catalogue-routes.ts'
import { type Links, link } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import { listOf, OwnValue } from '../../http/schemas.ts'

const Region = Type.Object(
  {
    Nombre: Type.String({ examples: ['Ciudad Autónoma de Buenos Aires'] }),
    Iso: Type.String({ description: 'Código ISO 3166-2', examples: ['AR-C'] }),
    Ciudades: Type.Object({ _links: Type.Ref('Links') }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Region' },
)

const Regiones = listOf('Regiones', 'Region')
const RegionesRef = listOf('RegionesRef', 'Ref')

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
  for (const schema of [Region, Regiones, RegionesRef]) app.addSchema(schema)
  const about: CatalogueRoutes<RegionRow> = {
    segment: 'regiones',
    tag: 'Regiones',
    one: 'Region',
    list: 'Regiones',
    refs: true,
    serialized: new SerializedCatalogue(regiones, { entry: regionEntry, ref: regionRef }),
    called: 'la región',
  }

  listRoute(app, media, about, RegionesQuery, () => ({ name: 'todas', links: regionesLinks, rows: regiones }))
  bestmatchRoute(app, media, about, BestmatchQuery, ({ state }) => matched(matcher.region(state), regionRef))
  oneRoute(app, media, about)
}
