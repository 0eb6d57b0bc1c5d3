import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue, Color as ColorRow } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { fold, nameSearch } from '../../catalogue/text.ts'
import { catalogueRoutes, matched, refIn } from '../../http/catalogue-routes.ts'
import type { Media } from '../../http/responses.ts'
import { nullable, OwnValue, TextFilter } from '../../http/schemas.ts'

const Color = Type.Object(
  {
    Nombre: Type.String({ examples: ['Blanco'] }),
    HtmlColor: nullable(Type.String({ pattern: '^#[0-9A-F]{6}$', examples: ['#FFFFFF'] })),
    _links: Type.Ref('Links'),
  },
  { $id: 'Color' },
)

export const colorRef = refIn<ColorRow>('colores')

/** GET /v3/colores, /v3/colores/bestmatch, /v3/colores/{id} */
export function coloresRoutes(app: FastifyInstance, media: Media, { colores }: Catalogue, matcher: Matcher): void {
  const search = nameSearch(colores, ({ nombre }) => [nombre])

  catalogueRoutes(app, media, {
    segment: 'colores',
    title: 'Colores',
    called: 'el color',
    schema: Color,
    rows: colores,
    ref: colorRef,
    entry: ({ nombre, html }) => ({ Nombre: nombre, HtmlColor: html }),
    query: Type.Object({
      q: Type.Optional(TextFilter('Parte del nombre')),
      nombre: Type.Optional(TextFilter('Nombre completo')),
    }),
    bestmatchQuery: Type.Object({
      color: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir el color', 'blanco perlado'),
    }),
    list({ q, nombre }) {
      if (q === undefined && nombre === undefined) return { name: 'todos', rows: colores }
      const named =
        nombre === undefined ? colores : colores.filter((color) => fold(color.nombre) === fold(nombre.trim()))
      return { rows: q === undefined ? named : search(q, named) }
    },
    bestmatch: ({ color }) => matched(matcher.colour(color), colorRef),
  })
}
