import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { decodeCursor, encodeCursor } from '../../http/cursor.ts'
import type { Media } from '../../http/media.ts'
import { reads } from '../../http/responses.ts'
import type { Db } from '../../store/db.ts'
import { feedEnd, START } from '../../store/feed.ts'
import { readFeed } from '../../webhooks/events.ts'
import { eventosText } from './represent.ts'
import { EventosQuery, SCHEMAS } from './schema.ts'

const PER_PAGE = 100 // decisions, 8

/** GET /v3/eventos */
export function eventosRoutes(app: FastifyInstance, media: Media, db: Db): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  app.get<{ Querystring: { cursor?: string } }>(
    '/eventos',
    {
      schema: {
        tags: ['Eventos'],
        operationId: 'listarEventos',
        summary: 'Todo lo que se anunció a la app, lo más viejo primero',
        description: 'Se guarda 90 días, haya o no webhooks. Guarde el enlace next y siga por él: no se pierde nada.',
        querystring: EventosQuery,
        response: reads(media, { description: 'Eventos', entry: Type.Ref('Eventos') }, [400]),
      },
      config: { caching: 'no-store' },
    },
    async ({ caller, query: { cursor } }) => {
      if (cursor === 'fin') return eventosText([], cursor, encodeCursor(await feedEnd(db)))
      const after = cursor === undefined ? START : decodeCursor(cursor)
      const { payloads, end } = await readFeed(db, caller, after, PER_PAGE)
      return eventosText(payloads, cursor, encodeCursor(end))
    },
  )
}
