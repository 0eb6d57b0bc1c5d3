import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { apiRoutes } from '../../http/api-routes.ts'
import { decodeCursor, feedLinks } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'
import type { Store } from '../../store/db.ts'
import { type FeedPosition, feedEnd, START } from '../../store/feed.ts'
import { readFeed } from '../../webhooks/events.ts'
import { DESCRIPTIONS, nameOfTopic, TOPICS, type Topic } from '../../webhooks/topics.ts'

const Por = (description: string) => ({ Por: Type.Enum(['agencia', 'mercado'], { description }) })
const CONSULTA = { Consulta: Type.Ref('Consulta') }
const PUBLICACION = {
  Publicacion: Type.Ref('PublicacionRef'),
  ExternalId: Type.String({ examples: ['AB-1023'] }),
  ...Por('Quién lo hizo'),
}

/** The members of each topic beyond the common ones. */
const OWN: Partial<Record<Topic, Record<string, TSchema>>> = {
  'agencia.modificada': {
    AdminMailAnterior: Type.Optional(
      Type.String({
        format: 'email',
        description: 'Si cambió quien la administra: la dirección anterior, que sirve 90 días más',
      }),
    ),
  },
  'agencia.desasociada': Por('Quién terminó la asociación'),
  'consulta.recibida': CONSULTA,
  'consulta.modificada': CONSULTA,
  'consulta.suprimida': {
    Consulta: Type.Object({ href: Type.String() }, { description: 'La consulta, ya sin datos personales' }),
  },
  'publicacion.activada': PUBLICACION,
  'publicacion.suspendida': PUBLICACION,
  'publicacion.archivada': PUBLICACION,
  'webhook.prueba': {
    Webhook: Type.Optional(
      Type.Object(
        { href: Type.String({ examples: ['/v3/appnotificaciones/consulta.recibida'] }) },
        { description: 'El webhook cuyo Callback se comprueba, porque todavía no respondió 2xx' },
      ),
    ),
  },
}

const eventOf = (topic: Topic) => ({
  ...Type.Object(
    {
      Id: Type.String({
        description: 'ULID; el mismo en cada intento y reenvío',
        examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'],
      }),
      Topic: Type.Literal(topic),
      Version: Type.Literal(1),
      Momento: Type.String({ format: 'date-time', examples: ['2026-03-04T09:15:27.031-03:00'] }),
      Agencia: Type.Ref('AgenciaRef'),
      AdminMail: Type.String({ format: 'email', examples: ['ana@agencia.example'] }),
      ...OWN[topic],
      Prueba: Type.Optional(Type.Literal(true, { description: 'Presente en las notificaciones de prueba' })),
    },
    { description: DESCRIPTIONS[topic] },
  ),
  $id: `Evento${nameOfTopic(topic)}`,
})

const EVENTS = TOPICS.map(eventOf)

const Evento = Type.Unsafe({
  $id: 'Evento',
  description: 'Se distinguen por su Topic',
  oneOf: EVENTS.map(({ $id }) => Type.Ref($id)),
  discriminator: {
    propertyName: 'Topic',
    mapping: Object.fromEntries(TOPICS.map((topic, at) => [topic, `#/components/schemas/${EVENTS[at]?.$id}`])),
  },
})

const Eventos = Type.Object(
  {
    _links: Type.Ref('Links', {
      description: 'next siempre está: es por donde se sigue, también si no hay nada nuevo',
    }),
    _entries: Type.Array(Type.Ref('Evento')),
  },
  { $id: 'Eventos' },
)

const EventosQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 60, description: 'El del enlace next, o fin: desde ahora. Si falta, desde lo más viejo' }),
  ),
})

/** A page of the feed as JSON, with each payload exactly as stored and sent. */
const eventosText = (payloads: string[], cursor: string | undefined, next: FeedPosition): string =>
  `{"_links":${JSON.stringify(feedLinks('/v3/eventos', cursor, next))},"_entries":[${payloads.join(',')}]}`

const PER_PAGE = 100 // docs/decisions/api.md

/** GET /v3/eventos */
export function eventosRoutes(app: FastifyInstance, media: Media, store: Store): void {
  apiRoutes(app, media, { tags: ['Eventos'] }, [...EVENTS, Evento, Eventos])('GET', '/eventos', {
    operationId: 'listarEventos',
    summary: 'Todos los eventos de la app, los más viejos primero',
    description: 'Se guardan 90 días, haya o no webhooks. Guarde el enlace next y siga por él: no se pierde nada.',
    query: EventosQuery,
    response: { description: 'Eventos', entry: 'Eventos' },
    async handle({ caller, query: { cursor } }) {
      if (cursor === 'fin') return eventosText([], cursor, await feedEnd(store))
      const after = cursor === undefined ? START : decodeCursor(cursor)
      // A replica knows the transactions that run on the primary, so it skips none that commits late.
      const db = await store.reader(`app:${caller.id}`)
      const { payloads, end } = await readFeed(db, caller, after, PER_PAGE)
      return eventosText(payloads, cursor, end)
    },
  })
}
