import type { FastifyInstance } from 'fastify'
import type { Region as RegionRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { matched } from '../../http/bestmatch.ts'
import { bestmatchRoute, type CatalogueRoutes, listRoute, oneRoute } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/media.ts'
import { SerializedCatalogue } from '../../http/serialized-catalogue.ts'
import { regionEntry, regionesLinks, regionRef } from './represent.ts'
import { BestmatchQuery, Region, Regiones, RegionesQuery, RegionesRef } from './schema.ts'

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
