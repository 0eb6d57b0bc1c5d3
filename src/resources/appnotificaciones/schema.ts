import Type, { type Static, type TSchema } from 'typebox'
import { Count, closed, ignored, listOf, nullable, optional, refTo, Timestamp } from '../../http/schemas.ts'
import { MAX_DESTINOS } from '../../webhooks/delivery-ids.ts'
import { PAYLOAD_VERSION } from '../../webhooks/store.ts'
import { AdminMail } from '../agencias/schema.ts'

const TOPIC_CHARACTERS = 80 // spec, "Limits"

export const Topic = Type.String({
  maxLength: TOPIC_CHARACTERS,
  description: 'Qué se notifica',
  examples: ['consulta.recibida'],
})
export const TopicParams = Type.Object({ topic: Topic })

const Callback = Type.String({
  format: 'uri',
  maxLength: 1024,
  description: 'Dirección https que recibe las notificaciones',
  examples: ['https://crm.example/notificaciones'],
})
const Description = Type.String({ maxLength: 256, examples: ['CRM, producción'] })
const Activo = Type.Boolean({ description: 'false: no se envía nada, y lo pendiente se descarta' })

export const HeaderCustom = Type.Object(
  {
    Name: Type.String({ format: 'header-name', minLength: 1, maxLength: 64, examples: ['X-Api-Key'] }),
    Value: Type.String({ format: 'header-value', minLength: 1, maxLength: 1024, examples: ['a1b2c3'] }),
  },
  { $id: 'HeaderCustom', additionalProperties: false, description: 'Encabezado propio que acompaña cada notificación' },
)
const header = refTo(HeaderCustom)
/** Their names must differ, so an example has only the first. */
const furtherHeader = Type.Union([header, Type.Null()], { examples: [null] })

/** What a representation has beyond `AppWebhookUpsert`: sent back, it is accepted and ignored (docs/decisions/api.md). */
const ADDED = ['Topic', 'SecretEstandar', 'Salud', '_links']

export const AppWebhookUpsert = Type.Object(
  {
    Callback,
    Secret: optional(
      Type.String({
        format: 'secret',
        maxLength: 256,
        description:
          'Firma las notificaciones; de 16 a 256 caracteres. En el POST, si falta, se crea uno; en el PUT, si falta o va como se leyó, no cambia. null: sin firma',
        examples: ['96d0300081d644d3bdceae8fbfc77955'],
      }),
    ),
    Description: optional(Description),
    Activo: Type.Optional(Type.Boolean({ ...Activo, default: true })),
    HeaderCustom01: optional(header),
    HeaderCustom02: Type.Optional(furtherHeader),
    HeaderCustom03: Type.Optional(furtherHeader),
    ...ignored(ADDED),
  },
  {
    $id: 'AppWebhookUpsert',
    description: 'Lo que falta queda en null, o en su valor por omisión, salvo Secret.',
    ...closed,
  },
)

/** How many agencies a filter may name. */
const MAX_AGENCIAS = 500
const Agencias = Type.Array(AdminMail, {
  maxItems: MAX_AGENCIAS,
  description: 'Solo llegan los eventos de estas agencias, por su AdminMail. null: los de todas; vacía: ninguno',
})
const EnOrden = Type.Boolean({
  description:
    'true: los eventos de cada agencia llegan de a uno, en el orden de /v3/eventos. Mientras uno se reintenta, los siguientes de esa agencia esperan',
})
const Version = Type.Integer({
  minimum: 1,
  description: 'La versión de lo que se envía. Queda fija hasta que la app la cambie con PUT',
  examples: [PAYLOAD_VERSION],
})

export const AppWebhookDestinoUpsert = Type.Object(
  {
    ...AppWebhookUpsert.properties,
    Agencias: optional(Agencias),
    EnOrden: Type.Optional(Type.Boolean({ ...EnOrden, default: false })),
    Version: optional(
      Type.Integer({ ...Version, description: 'Si falta: en el POST, la última; en el PUT, queda la que está' }),
    ),
    ...ignored(['Id']),
  },
  {
    $id: 'AppWebhookDestinoUpsert',
    description: 'Lo que falta queda en null, o en su valor por omisión, salvo Secret y Version.',
    ...closed,
  },
)

const AppWebhookSalud = Type.Object(
  {
    Estado: Type.Enum(['sin-entregas', 'bien', 'fallando', 'deshabilitado'], {
      description: 'deshabilitado: falló durante 5 días, o respondió 410. Un PUT con Activo true lo habilita',
    }),
    FallasSeguidas: Count,
    UltimaEntrega: nullable(Timestamp),
    UltimoError: nullable(Type.String({ examples: ['El receptor respondió 500.'] })),
  },
  { $id: 'AppWebhookSalud' },
)

const WEBHOOK = {
  Topic,
  Callback,
  Secret: nullable(
    Type.String({
      description: 'Completo solo en el 201 que lo crea; después, ******** y sus últimos cuatro caracteres',
      examples: ['********7955'],
    }),
  ),
  SecretEstandar: Type.Optional(
    Type.String({
      description:
        'El Secret propio como lo esperan las bibliotecas de Standard Webhooks: whsec_ y sus bytes en base64. Solo en la respuesta que lo configura',
      examples: ['whsec_OTZkMDMwMDA4MWQ2NDRkM2JkY2VhZThmYmZjNzc5NTU='],
    }),
  ),
  Description: nullable(Description),
  Activo,
  HeaderCustom01: nullable(header),
  HeaderCustom02: furtherHeader,
  HeaderCustom03: furtherHeader,
  Salud: Type.Ref('AppWebhookSalud'),
  _links: Type.Ref('Links'),
}

const AppWebhook = Type.Object(WEBHOOK, { $id: 'AppWebhook' })

const Id = Type.Integer({
  minimum: 1,
  maximum: MAX_DESTINOS,
  description:
    'El número del destino en su topic. 1: el de /v3/appnotificaciones/{topic}. El de uno eliminado se vuelve a usar',
  examples: [2],
})

export const DestinoParams = Type.Object({ topic: Topic, id: Id })

/** Which of a topic's webhooks; the first if it is left out. */
export const DestinoQuery = Type.Object({
  destino: Type.Optional(Type.Integer({ ...Id, description: 'Id del destino; si falta, el 1' })),
})

const { Salud, _links, ...SETTINGS } = WEBHOOK
const AppWebhookDestino = Type.Object(
  { Id, ...SETTINGS, Agencias: nullable(Agencias), EnOrden, Version, Salud, _links },
  { $id: 'AppWebhookDestino', description: 'Uno de los webhooks de un topic' },
)

const AppWebhookTopic = Type.Object(
  {
    Topic,
    Descripcion: Type.String({ examples: ['Una agencia recibió una consulta.'] }),
    Configurado: Type.Boolean(),
    Webhook: nullable(Type.Ref('AppWebhook')),
    _links: Type.Ref('Links'),
  },
  { $id: 'AppWebhookTopic' },
)

const AppWebhookPrueba = Type.Object(
  { Id: Type.String({ examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'] }), _links: Type.Ref('Links') },
  { $id: 'AppWebhookPrueba', description: 'La notificación de prueba, como está en el registro y en eventos' },
)

export const SCHEMAS: readonly TSchema[] = [
  HeaderCustom,
  AppWebhookUpsert,
  AppWebhookSalud,
  AppWebhook,
  AppWebhookDestinoUpsert,
  AppWebhookDestino,
  listOf('AppWebhookDestinos', 'AppWebhookDestino'),
  AppWebhookTopic,
  listOf('AppWebhooks', 'AppWebhookTopic'),
  AppWebhookPrueba,
]

export type AppWebhookUpsert = Static<typeof AppWebhookUpsert>
export type AppWebhookDestinoUpsert = Static<typeof AppWebhookDestinoUpsert>
