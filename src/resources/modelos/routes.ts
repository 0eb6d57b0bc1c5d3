import type { FastifyInstance } from 'fastify'
import type { Catalogue, Marca } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { ModelQuery } from '../../catalogue/match/vehicle-matcher.ts'
import { nameSearch } from '../../catalogue/search.ts'
import type { Modelo as ModeloRow } from '../../catalogue/vehicles.ts'
import { type Matched, matched } from '../../http/bestmatch.ts'
import { bestmatchRoute, type CatalogueRoutes, listRoute, oneRoute } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/media.ts'
import { invalid } from '../../http/problems.ts'
import { SerializedCatalogue } from '../../http/serialized-catalogue.ts'
import { marcaRef } from '../marcas/represent.ts'
import { modeloEntry, modeloRef, modelosLinks } from './represent.ts'
import { BestmatchQuery, Modelo, Modelos, ModelosQuery, ModelosRef } from './schema.ts'

/** GET /v3/modelos, /v3/modelos/bestmatch, /v3/modelos/{id} */
export function modelosRoutes(
  app: FastifyInstance,
  media: Media,
  { modelos, marcas }: Pick<Catalogue, 'modelos' | 'marcas'>,
  matcher: Matcher,
): void {
  for (const schema of [Modelo, Modelos, ModelosRef]) app.addSchema(schema)
  const about: CatalogueRoutes<ModeloRow> = {
    segment: 'modelos',
    tag: 'Modelos',
    one: 'Modelo',
    list: 'Modelos',
    refs: true,
    serialized: new SerializedCatalogue(modelos, { entry: modeloEntry, ref: modeloRef }),
    called: 'el modelo',
  }
  const search = nameSearch(modelos, ({ marca, nombre, codename }) => [`${marca.nombre} ${nombre}`, codename])
  const ofMake = new Map(marcas.map((marca) => [marca.id, modelos.filter((modelo) => modelo.marca === marca)]))

  listRoute(app, media, about, ModelosQuery, ({ marca, q, soloMercadoNuevos }) => {
    const there = marca === undefined ? modelos : ofMake.get(marca)
    if (!there) throw invalid({ marca: ['No existe esa marca: vea /v3/marcas.'] })
    const links = () => modelosLinks({ marca, q, soloMercadoNuevos: soloMercadoNuevos || undefined })
    const rows = soloMercadoNuevos ? there.filter(({ nuevo }) => nuevo) : there
    if (q !== undefined) return { links, rows: search(q, rows) }
    return { name: `${marca ?? 'todos'}${soloMercadoNuevos ? ' nuevos' : ''}`, links, rows }
  })
  bestmatchRoute(app, media, about, BestmatchQuery, (query) => matchModel(matcher, query))
  oneRoute(app, media, about)
}

/** A make that is not understood is answered with makes that came near, a model with models. */
function matchModel(matcher: Matcher, query: ModelQuery): Matched<ModeloRow> {
  const result = matcher.model(query)
  return result.kind === 'none' && result.parameter === 'make'
    ? matched<ModeloRow, Marca>(result, marcaRef)
    : matched(result, modeloRef)
}
