import Type, { type TSchema } from 'typebox'

const common = (...topics: string[]) => ({
  Id: Type.String({
    description: 'ULID; el mismo en cada intento y reenvío',
    examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'],
  }),
  Topic: Type.Enum(topics),
  Version: Type.Literal(1),
  Momento: Type.String({ format: 'date-time', examples: ['2026-03-04T09:15:27.031-03:00'] }),
  Agencia: Type.Ref('Ref'),
  AdminMail: Type.String({ format: 'email', examples: ['ana@agencia.example'] }),
})

const Prueba = { Prueba: Type.Optional(Type.Literal(true, { description: 'Presente en los avisos de prueba' })) }
const Por = (description: string) => Type.Enum(['agencia', 'mercado'], { description })

const event = ($id: string, topics: string[], own: Record<string, TSchema> = {}) => ({
  $id,
  ...Type.Object({ ...common(...topics), ...own, ...Prueba }),
})

/** What each topic tells (decisions, 8). */
const EVENTS = [
  event('EventoAgenciaRegistrada', ['agencia.registrada']),
  event('EventoAgenciaModificada', ['agencia.modificada'], {
    AdminMailAnterior: Type.Optional(
      Type.String({ format: 'email', description: 'Cuando cambió quien la administra; responde todavía 90 días' }),
    ),
  }),
  event('EventoAgenciaDesasociada', ['agencia.desasociada'], { Por: Por('Quién terminó la asociación') }),
  event('EventoConsulta', ['consulta.recibida', 'consulta.modificada'], { Consulta: Type.Ref('Consulta') }),
  event('EventoConsultaSuprimida', ['consulta.suprimida'], {
    Consulta: Type.Object({ href: Type.String() }, { description: 'La consulta, ya sin datos personales' }),
  }),
  event('EventoPublicacion', ['publicacion.activada', 'publicacion.suspendida', 'publicacion.archivada'], {
    Publicacion: Type.Ref('Ref'),
    ExternalId: Type.String({ examples: ['AB-1023'] }),
    Por: Por('Quién lo hizo'),
  }),
  event('EventoPrueba', ['webhook.prueba']),
]

export const Eventos = Type.Object(
  {
    _links: Type.Ref('Links', {
      description: 'next siempre está: es por donde se sigue, también si no hay nada nuevo',
    }),
    _entries: Type.Array(Type.Union(EVENTS.map(({ $id }) => Type.Ref($id)))),
  },
  { $id: 'Eventos' },
)

export const EventosQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({ maxLength: 60, description: 'El de next, o fin: desde ahora. Si falta, desde lo más viejo' }),
  ),
})

export const SCHEMAS: readonly TSchema[] = [...EVENTS, Eventos]
