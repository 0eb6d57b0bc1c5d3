import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Carroceria as CarroceriaRow } from '../../catalogue/load.ts'
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

const Carroceria = Type.Object(
  {
    Nombre: Type.String({ examples: ['Sedán'] }),
    Codenames: Type.Array(Type.String({ examples: ['sedan'] })),
    _links: Type.Ref('Links'),
  },
  { $id: 'Carroceria' },
)

const Carrocerias = listOf('Carrocerias', 'Carroceria')

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
  for (const schema of [Carroceria, Carrocerias]) app.addSchema(schema)
  const about: CatalogueRoutes<CarroceriaRow> = {
    segment: 'carrocerias',
    tag: 'Carrocerías',
    one: 'Carroceria',
    list: 'Carrocerias',
    refs: false, // the specification lists none
    serialized: new SerializedCatalogue(carrocerias, { entry: carroceriaEntry, ref: carroceriaRef }),
    called: 'la carrocería',
  }

  listRoute(app, media, about, CarroceriasQuery, () => ({
    name: 'todas',
    links: carroceriasLinks,
    rows: carrocerias,
  }))
  bestmatchRoute(app, media, about, BestmatchQuery, ({ bodystyle }) =>
    matched(matcher.bodystyle(bodystyle), carroceriaRef),
  )
  oneRoute(app, media, about)
}
