import type { FastifyInstance } from 'fastify'
import type { Carroceria as CarroceriaRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { matched } from '../../http/bestmatch.ts'
import { bestmatchRoute, type CatalogueRoutes, listRoute, oneRoute } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/media.ts'
import { SerializedCatalogue } from '../../http/serialized-catalogue.ts'
import { carroceriaEntry, carroceriaRef, carroceriasLinks } from './represent.ts'
import { BestmatchQuery, Carroceria, Carrocerias, CarroceriasQuery } from './schema.ts'

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
