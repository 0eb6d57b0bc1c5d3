import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Carroceria as CarroceriaRow } from '../../catalogue/vehicles.ts'
import { catalogueRoutes, matched, refIn } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/responses.ts'
import { OwnValue } from '../../http/schemas.ts'

const Carroceria = Type.Object(
  {
    Nombre: Type.String({ examples: ['Sedán'] }),
    Codenames: Type.Array(Type.String({ examples: ['sedan'] })),
    _links: Type.Ref('Links'),
  },
  { $id: 'Carroceria' },
)

export const carroceriaRef = refIn<CarroceriaRow>('carrocerias')

/** GET /v3/carrocerias, /v3/carrocerias/bestmatch, /v3/carrocerias/{id} */
export function carroceriasRoutes(app: FastifyInstance, media: Media, catalogue: Catalogue, matcher: Matcher): void {
  catalogueRoutes(app, media, {
    segment: 'carrocerias',
    title: 'Carrocerías',
    called: 'la carrocería',
    hasRefs: false, // the specification lists none
    schema: Carroceria,
    rows: catalogue.carrocerias,
    ref: carroceriaRef,
    entry: ({ nombre, codenames }) => ({ Nombre: nombre, Codenames: codenames }),
    query: Type.Object({}),
    bestmatchQuery: Type.Object({
      bodystyle: OwnValue(
        'Id, URL, ruta, nombre, codename o cualquier forma de escribir la carrocería',
        'Sedan 4 ptas',
      ),
    }),
    list: () => ({ name: 'todas', rows: catalogue.carrocerias }),
    bestmatch: ({ bodystyle }) => matched(matcher.bodystyle(bodystyle), carroceriaRef),
  })
}
