import type { FastifyInstance } from 'fastify'
import type { Color as ColorRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/search.ts'
import { fold } from '../../catalogue/text.ts'
import { matched } from '../../http/bestmatch.ts'
import { bestmatchRoute, type CatalogueRoutes, listRoute, oneRoute } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/media.ts'
import { SerializedCatalogue } from '../../http/serialized-catalogue.ts'
import { colorEntry, coloresLinks, colorRef } from './represent.ts'
import { BestmatchQuery, Color, Colores, ColoresQuery, ColoresRef } from './schema.ts'

/** GET /v3/colores, /v3/colores/bestmatch, /v3/colores/{id} */
export function coloresRoutes(
  app: FastifyInstance,
  media: Media,
  colores: readonly ColorRow[],
  matcher: Matcher,
): void {
  for (const schema of [Color, Colores, ColoresRef]) app.addSchema(schema)
  const about: CatalogueRoutes<ColorRow> = {
    segment: 'colores',
    tag: 'Colores',
    one: 'Color',
    list: 'Colores',
    refs: true,
    serialized: new SerializedCatalogue(colores, { entry: colorEntry, ref: colorRef }),
    called: 'el color',
  }
  const search = nameSearch(colores, ({ nombre }) => [nombre])

  listRoute(app, media, about, ColoresQuery, ({ q, nombre }) => {
    if (q === undefined && nombre === undefined) return { name: 'todos', links: () => coloresLinks({}), rows: colores }
    const named = nombre === undefined ? colores : colores.filter((color) => fold(color.nombre) === fold(nombre.trim()))
    return { links: () => coloresLinks({ q, nombre }), rows: q === undefined ? named : search(q, named) }
  })
  bestmatchRoute(app, media, about, BestmatchQuery, ({ color }) => matched(matcher.colour(color), colorRef))
  oneRoute(app, media, about)
}
