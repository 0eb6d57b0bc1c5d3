import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/text.ts'
import type { Marca as MarcaRow } from '../../catalogue/vehicles.ts'
import { catalogueRoutes, matched } from '../../http/catalogue-routes.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import { OwnValue, Part } from '../../http/schemas.ts'

const Marca = Type.Object(
  {
    Nombre: Type.String({ examples: ['Abarth'] }),
    Codenames: Type.Array(Type.String({ examples: ['abarth'] })),
    Modelos: Type.Object({ _links: Type.Ref('Links') }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Marca' },
)

const MarcasQuery = Type.Object({
  q: Type.Optional(Part('Parte del nombre o de un codename')),
  soloMercadoNuevos: Type.Optional(
    Type.Boolean({ default: false, description: 'Solo las marcas que hoy se venden nuevas' }),
  ),
})

const BestmatchQuery = Type.Object({
  make: OwnValue('Id, URL, ruta, nombre, codename o cualquier forma de escribir la marca', 'VW'),
})

const LIST = '/v3/marcas'

export const marcaHref = ({ id }: MarcaRow) => `${LIST}/${id}`

const marcaEntry = (marca: MarcaRow) => ({
  Nombre: marca.nombre,
  Codenames: marca.codenames,
  Modelos: { _links: { self: link(`/v3/modelos?marca=${marca.id}`) } },
  _links: { self: link(marcaHref(marca)), marcas: link(LIST) },
})

export const marcaRef = (marca: MarcaRow) => ({ href: marcaHref(marca), title: marca.nombre })

const marcasLinks = (query: { q?: string | undefined; soloMercadoNuevos?: true | undefined }): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?q={q}&soloMercadoNuevos={soloMercadoNuevos}`),
  bestmatch: link(`${LIST}/bestmatch?make={make}`),
})

/** GET /v3/marcas, /v3/marcas/bestmatch, /v3/marcas/{id} */
export function marcasRoutes(app: FastifyInstance, media: Media, marcas: readonly MarcaRow[], matcher: Matcher): void {
  const search = nameSearch(marcas, ({ nombre, codenames }) => [nombre, ...codenames])
  const soldNew = marcas.filter(({ nuevo }) => nuevo)

  catalogueRoutes(app, media, {
    segment: 'marcas',
    tag: 'Marcas',
    one: 'Marca',
    list: 'Marcas',
    called: 'la marca',
    schema: Marca,
    rows: marcas,
    represent: { entry: marcaEntry, ref: marcaRef },
    query: MarcasQuery,
    select: ({ q, soloMercadoNuevos }) => {
      const links = () => marcasLinks({ q, soloMercadoNuevos: soloMercadoNuevos || undefined })
      const rows = soloMercadoNuevos ? soldNew : marcas
      return q === undefined
        ? { name: soloMercadoNuevos ? 'nuevas' : 'todas', links, rows }
        : { links, rows: search(q, rows) }
    },
    bestmatch: { query: BestmatchQuery, match: ({ make }) => matched(matcher.make(make), marcaRef) },
  })
}
