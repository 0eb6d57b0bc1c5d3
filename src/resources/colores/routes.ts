import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Color as ColorRow } from '../../catalogue/load.ts'
import { fold, includesFolded } from '../../catalogue/text.ts'
import type { Media } from '../../http/media.ts'
import { notFound } from '../../http/problems.ts'
import { reads } from '../../http/responses.ts'
import { IdParams } from '../../http/schemas.ts'
import { formOf, Shelf } from '../../http/shelf.ts'
import { colorEntry, coloresLinks, colorRef } from './represent.ts'
import { Color, Colores, ColoresQuery, ColoresRef } from './schema.ts'

/** GET /v3/colores, /v3/colores/{id} */
export function coloresRoutes(instance: FastifyInstance, media: Media, colores: readonly ColorRow[]): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  for (const schema of [Color, Colores, ColoresRef]) app.addSchema(schema)
  const shelf = new Shelf(colores, { entry: colorEntry, ref: colorRef })
  const one = { entry: Type.Ref('Color'), ref: Type.Ref('Ref') }

  app.get(
    '/colores',
    {
      schema: {
        tags: ['Colores'],
        operationId: 'listarColores',
        summary: 'Colores',
        querystring: ColoresQuery,
        response: reads(
          media,
          { description: 'Colores', entry: Type.Ref('Colores'), ref: Type.Ref('ColoresRef') },
          [400],
        ),
      },
      config: { caching: 'private, no-cache' },
    },
    (request) => {
      const { q, nombre } = request.query
      const form = formOf(request)
      if (q === undefined && nombre === undefined)
        return shelf.keptList(form, 'all', () => ({ links: coloresLinks({}), rows: colores }))
      const rows = colores.filter(
        (color) =>
          (q === undefined || includesFolded(color.nombre, q)) &&
          (nombre === undefined || fold(color.nombre) === fold(nombre.trim())),
      )
      return shelf.list(form, coloresLinks(request.query), rows)
    },
  )

  app.get(
    '/colores/:id',
    {
      schema: {
        tags: ['Colores'],
        operationId: 'verColor',
        summary: 'Un color',
        params: IdParams,
        response: reads(media, { description: 'El color', ...one }, [400, 404]),
      },
      config: { caching: 'private, no-cache' },
    },
    (request) => {
      const color = shelf.find(request.params.id)
      if (!color) throw notFound('No existe el color.')
      return shelf.print(formOf(request), color)
    },
  )
}
