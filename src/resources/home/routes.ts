import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Media } from '../../http/media.ts'
import { reads } from '../../http/responses.ts'
import { entryPoints } from './represent.ts'
import { EntryPoints } from './schema.ts'

/** GET /v3 */
export function homeRoutes(app: FastifyInstance, media: Media): void {
  app.addSchema(EntryPoints)
  const home = Buffer.from(JSON.stringify(entryPoints()))

  app.get(
    '',
    {
      schema: {
        tags: ['Home'],
        operationId: 'verPuntosDeEntrada',
        summary: 'Puntos de entrada',
        response: reads(media, { description: 'Puntos de entrada', entry: Type.Ref('EntryPoints') }),
      },
      config: { caching: 'private, no-cache' },
    },
    () => home,
  )
}
