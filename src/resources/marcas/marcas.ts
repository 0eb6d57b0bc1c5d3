import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/text.ts'
import type { Marca as MarcaRow } from '../../catalogue/vehicles.ts'
import { catalogueRoutes, matched, refIn } from '../../http/catalogue-routes.ts'
import { link } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import { OwnValue, TextFilter } from '../../http/schemas.ts'

const Marca = Type.Object(
  {
    Nombre: Type.String({ examples: ['Abarth'] }),
    Codenames: Type.Array(Type.String({ examples: ['abarth'] })),
    Modelos: Type.Ref('Recurso'),
    _links: Type.Ref('Links'),
  },
  { $id: 'Marca' },
)

export const marcaRef = refIn<MarcaRow>('marcas')

/** GET /v3/marcas, /v3/marcas/bestmatch, /v3/marcas/{id} */
export function marcasRoutes(app: FastifyInstance, media: Media, { marcas }: Catalogue, matcher: Matcher): void {
  const search = nameSearch(marcas, ({ nombre, codenames }) => [nombre, ...codenames])
  const soldNew = marcas.filter(({ nuevo }) => nuevo)

  catalogueRoutes(app, media, {
    segment: 'marcas',
    title: 'Marcas',
    called: 'la marca',
    schema: Marca,
    rows: marcas,
    ref: marcaRef,
    entry: ({ id, nombre, codenames }) => ({
      Nombre: nombre,
      Codenames: codenames,
      Modelos: { _links: { self: link(`/v3/modelos?marca=${id}`) } },
    }),
    query: Type.Object({
      q: Type.Optional(TextFilter('Parte del nombre o de un codename')),
      soloMercadoNuevos: Type.Optional(
        Type.Boolean({ default: false, description: 'Solo las marcas que hoy venden autos nuevos' }),
      ),
    }),
    bestmatchQuery: Type.Object({
      make: OwnValue('Id, URL, ruta, nombre, codename o cualquier forma de escribir la marca', 'VW'),
    }),
    list({ q, soloMercadoNuevos }) {
      const rows = soloMercadoNuevos ? soldNew : marcas
      return q === undefined ? { name: soloMercadoNuevos ? 'nuevas' : 'todas', rows } : { rows: search(q, rows) }
    },
    bestmatch: ({ make }) => matched(matcher.make(make), marcaRef),
  })
}
