import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue, Region as RegionRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { catalogueRoutes, matched, refIn } from '../../http/catalogue-routes.ts'
import { link } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import { OwnValue } from '../../http/schemas.ts'

const Region = Type.Object(
  {
    Nombre: Type.String({ examples: ['Ciudad Autónoma de Buenos Aires'] }),
    Iso: Type.String({ description: 'Código ISO 3166-2', examples: ['AR-C'] }),
    Ciudades: Type.Ref('Recurso'),
    _links: Type.Ref('Links'),
  },
  { $id: 'Region' },
)

export const regionRef = refIn<RegionRow>('regiones')

/** GET /v3/regiones, /v3/regiones/bestmatch, /v3/regiones/{id} */
export function regionesRoutes(app: FastifyInstance, media: Media, { regiones }: Catalogue, matcher: Matcher): void {
  catalogueRoutes(app, media, {
    segment: 'regiones',
    title: 'Regiones',
    called: 'la región',
    schema: Region,
    rows: regiones,
    ref: regionRef,
    entry: ({ id, nombre, iso }) => ({
      Nombre: nombre,
      Iso: iso,
      Ciudades: { _links: { self: link(`/v3/ciudades?region=${id}`) } },
    }),
    query: Type.Object({}),
    bestmatchQuery: Type.Object({
      state: OwnValue('Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región', 'Capital Federal'),
    }),
    list: () => ({ name: 'todas', rows: regiones }),
    bestmatch: ({ state }) => matched(matcher.region(state), regionRef),
  })
}
