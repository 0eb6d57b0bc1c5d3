import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Color as ColorRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { fold, nameSearch } from '../../catalogue/text.ts'
import { catalogueRoutes, matched } from '../../http/catalogue-routes.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import { OwnValue, Part } from '../../http/schemas.ts'

const Color = Type.Object(
  {
    Nombre: Type.String({ examples: ['Blanco'] }),
    HtmlColor: Type.Union([Type.String({ pattern: '^#[0-9A-F]{6}$', examples: ['#FFFFFF'] }), Type.Null()]),
    _links: Type.Ref('Links'),
  },
  { $id: 'Color' },
)

const ColoresQuery = Type.Object({
  q: Type.Optional(Part('Parte del nombre')),
  nombre: Type.Optional(Part('Nombre completo')),
})

const BestmatchQuery = Type.Object({
  color: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir el color', 'blanco perlado'),
})

const LIST = '/v3/colores'

const href = ({ id }: ColorRow) => `${LIST}/${id}`

const colorEntry = (color: ColorRow) => ({
  Nombre: color.nombre,
  HtmlColor: color.html,
  _links: { self: link(href(color)), colores: link(LIST) },
})

export const colorRef = (color: ColorRow) => ({ href: href(color), title: color.nombre })

const coloresLinks = (query: { q?: string | undefined; nombre?: string | undefined }): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?q={q}&nombre={nombre}`),
  bestmatch: link(`${LIST}/bestmatch?color={color}`),
})

/** GET /v3/colores, /v3/colores/bestmatch, /v3/colores/{id} */
export function coloresRoutes(
  app: FastifyInstance,
  media: Media,
  colores: readonly ColorRow[],
  matcher: Matcher,
): void {
  const search = nameSearch(colores, ({ nombre }) => [nombre])

  catalogueRoutes(app, media, {
    segment: 'colores',
    tag: 'Colores',
    one: 'Color',
    list: 'Colores',
    called: 'el color',
    schema: Color,
    rows: colores,
    represent: { entry: colorEntry, ref: colorRef },
    query: ColoresQuery,
    select: ({ q, nombre }) => {
      if (q === undefined && nombre === undefined)
        return { name: 'todos', links: () => coloresLinks({}), rows: colores }
      const named =
        nombre === undefined ? colores : colores.filter((color) => fold(color.nombre) === fold(nombre.trim()))
      return { links: () => coloresLinks({ q, nombre }), rows: q === undefined ? named : search(q, named) }
    },
    bestmatch: { query: BestmatchQuery, match: ({ color }) => matched(matcher.colour(color), colorRef) },
  })
}
