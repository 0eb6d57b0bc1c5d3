import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Carroceria as CarroceriaRow } from '../../catalogue/vehicles.ts'
import { catalogueRoutes, matched } from '../../http/catalogue-routes.ts'
import { type Links, link } from '../../http/links.ts'
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

const CarroceriasQuery = Type.Object({})

const BestmatchQuery = Type.Object({
  bodystyle: OwnValue('Id, URL, ruta, nombre, codename o cualquier forma de escribir la carrocería', 'Sedan 4 ptas'),
})

const LIST = '/v3/carrocerias'

const href = ({ id }: CarroceriaRow) => `${LIST}/${id}`

const carroceriaEntry = (carroceria: CarroceriaRow) => ({
  Nombre: carroceria.nombre,
  Codenames: carroceria.codenames,
  _links: { self: link(href(carroceria)), carrocerias: link(LIST) },
})

/** Body styles have no Ref form of their own; this one names them in other answers, among candidates for example. */
export const carroceriaRef = (carroceria: CarroceriaRow) => ({ href: href(carroceria), title: carroceria.nombre })

const carroceriasLinks = (): Links => ({
  self: link(LIST),
  bestmatch: link(`${LIST}/bestmatch?bodystyle={bodystyle}`),
})

/** GET /v3/carrocerias, /v3/carrocerias/bestmatch, /v3/carrocerias/{id} */
export function carroceriasRoutes(
  app: FastifyInstance,
  media: Media,
  carrocerias: readonly CarroceriaRow[],
  matcher: Matcher,
): void {
  catalogueRoutes(app, media, {
    segment: 'carrocerias',
    tag: 'Carrocerías',
    one: 'Carroceria',
    list: 'Carrocerias',
    refs: false, // the specification lists none
    called: 'la carrocería',
    schema: Carroceria,
    rows: carrocerias,
    represent: { entry: carroceriaEntry, ref: carroceriaRef },
    query: CarroceriasQuery,
    select: () => ({
      name: 'todas',
      links: carroceriasLinks,
      rows: carrocerias,
    }),
    bestmatch: {
      query: BestmatchQuery,
      match: ({ bodystyle }) => matched(matcher.bodystyle(bodystyle), carroceriaRef),
    },
  })
}
