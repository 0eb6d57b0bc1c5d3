import Type, { type Static, type TSchema } from 'typebox'
import { DateTime, listOf, nullable, Timestamp } from '../../../http/schemas.ts'
import { MAX_DESTINOS } from '../../../webhooks/delivery-ids.ts'
import { ESTADOS_ENTREGA } from '../../../webhooks/delivery-log.ts'
import { AdminMail } from '../../agencias/schema.ts'
import { DestinoQuery, Topic } from '../schema.ts'

const Ulid = Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{26}$', examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'] })

/** A day of `TIME_ZONE`, or a moment. */
const dayOrMoment = (description: string) => Type.Union([Type.String({ format: 'date' }), DateTime()], { description })

/** The event's id, and the number of a webhook that is not the first. */
const EntregaId = Type.String({
  pattern: '^[0-9A-HJKMNP-TV-Z]{26}(-[2-5])?$',
  description: 'El Id del evento; para un destino distinto del 1, también su número: 01JNG3Y4Z5A6B7C8D9E0F1G2H3-2',
  examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'],
})

const FILTERS = {
  estado: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `${ESTADOS_ENTREGA.join(', ')}, o varios separados por comas`,
      examples: ['fallida'],
    }),
  ),
  adminMail: Type.Optional(Type.String({ ...AdminMail, description: 'Solo las de esa agencia' })),
  evento: Type.Optional(Type.String({ ...Ulid, description: 'Id del evento' })),
  sid: Type.Optional(Type.String({ minLength: 20, maxLength: 30, description: 'Solo las de esa consulta' })),
  desde: Type.Optional(dayOrMoment('Primer día, o primer instante, en que ocurrió el evento')),
  hasta: Type.Optional(dayOrMoment('Último día, o último instante, inclusive')),
  ...DestinoQuery.properties,
}

export const EntregasQuery = Type.Object({
  ...FILTERS,
  cursor: Type.Optional(Type.String({ ...Ulid, description: 'El del enlace next: sigue con las entregas anteriores' })),
})

export const ReenviarQuery = Type.Object({
  ...FILTERS,
  cursor: Type.Optional(
    Type.String({ ...Ulid, description: 'El del enlace next: sigue con las entregas posteriores' }),
  ),
  simular: Type.Optional(Type.Boolean({ description: 'true: solo cuenta, no envía nada', default: false })),
  todo: Type.Optional(
    Type.Boolean({
      description: 'true: todas las entregas del topic. Hace falta si no hay ningún filtro, y no va con filtros',
    }),
  ),
})

export const EntregaParams = Type.Object({
  topic: Topic,
  id: EntregaId,
})

const ATTEMPT = {
  Momento: Timestamp,
  DuracionMs: Type.Integer({ minimum: 0, examples: [84] }),
  Status: nullable(Type.Integer({ description: 'null si no hubo respuesta', examples: [500] })),
  Error: nullable(Type.String({ examples: ['El receptor respondió 500.'] })),
}

const ENTREGA = {
  Id: EntregaId,
  Evento: Type.String({ ...Ulid, description: 'El Id del evento, que es también webhook-id' }),
  Topic,
  Destino: Type.Integer({ minimum: 1, maximum: MAX_DESTINOS, description: 'El número del destino en su topic' }),
  Agencia: nullable(Type.Ref('AgenciaRef')),
  Estado: Type.Enum([...ESTADOS_ENTREGA]),
  Intentos: Type.Array(Type.Object(ATTEMPT), { description: 'Del primero al último, reenvíos incluidos' }),
  ProximoIntento: nullable(
    Type.String({ ...Timestamp, description: 'Solo mientras está pendiente y no espera a una anterior (EnOrden)' }),
  ),
  _links: Type.Ref('Links'),
}

const Entrega = Type.Object(ENTREGA, { $id: 'Entrega' })

const EntregaDetalle = Type.Object(
  {
    ...ENTREGA,
    Intentos: Type.Array(
      Type.Object({
        ...ATTEMPT,
        Direccion: nullable(
          Type.String({ description: 'La dirección IP con la que se conectó', examples: ['203.0.113.7'] }),
        ),
        Respuesta: nullable(Type.String({ description: 'Los primeros 4 KiB de lo que respondió' })),
      }),
    ),
    Payload: Type.Object({}, { additionalProperties: true, description: 'Lo que se envía, tal cual' }),
  },
  { $id: 'EntregaDetalle' },
)

const EntregasReenvio = Type.Object(
  {
    Cantidad: Type.Integer({ minimum: 0, description: 'Cuántos eventos se reenvían, o se reenviarían' }),
    Simulado: Type.Boolean(),
    _links: Type.Ref('Links', { description: 'next (POST): quedan más, porque son más de 250.000' }),
  },
  { $id: 'EntregasReenvio' },
)

export const SCHEMAS: readonly TSchema[] = [Entrega, listOf('Entregas', 'Entrega'), EntregaDetalle, EntregasReenvio]

export type EntregasQuery = Static<typeof EntregasQuery>
export type ReenviarQuery = Static<typeof ReenviarQuery>
export type Filters = Omit<EntregasQuery, 'cursor'>
