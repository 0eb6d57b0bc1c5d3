import type { FastifyInstance } from 'fastify'
import type { Marca as MarcaRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/search.ts'
import { matched } from '../../http/bestmatch.ts'
import { bestmatchRoute, type CatalogueRoutes, listRoute, oneRoute } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/media.ts'
import { SerializedCatalogue } from '../../http/serialized-catalogue.ts'
import { marcaEntry, marcaRef, marcasLinks } from './represent.ts'
import { BestmatchQuery, Marca, Marcas, MarcasQuery, MarcasRef } from './schema.ts'

/** GET /v3/marcas, /v3/marcas/bestmatch, /v3/marcas/{id} */
export function marcasRoutes(app: FastifyInstance, media: Media, marcas: readonly MarcaRow[], matcher: Matcher): void {
  for (const schema of [Marca, Marcas, MarcasRef]) app.addSchema(schema)
  const about: CatalogueRoutes<MarcaRow> = {
    segment: 'marcas',
    tag: 'Marcas',
    one: 'Marca',
    list: 'Marcas',
    refs: true,
    serialized: new SerializedCatalogue(marcas, { entry: marcaEntry, ref: marcaRef }),
    called: 'la marca',
  }
  const search = nameSearch(marcas, ({ nombre, codenames }) => [nombre, ...codenames])
  const soldNew = marcas.filter(({ nuevo }) => nuevo)

  listRoute(app, media, about, MarcasQuery, ({ q, soloMercadoNuevos }) => {
    const links = () => marcasLinks({ q, soloMercadoNuevos: soloMercadoNuevos || undefined })
    const rows = soloMercadoNuevos ? soldNew : marcas
    return q === undefined
      ? { name: soloMercadoNuevos ? 'nuevas' : 'todas', links, rows }
      : { links, rows: search(q, rows) }
  })
  bestmatchRoute(app, media, about, BestmatchQuery, ({ make }) => matched(matcher.make(make), marcaRef))
  oneRoute(app, media, about)
}
