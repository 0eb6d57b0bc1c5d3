import type { Webhooks } from '../../http/openapi.ts'
import { momentOf } from '../../ulid.ts'
import { buildEvent } from '../../webhooks/events.ts'
import { DESCRIPTIONS, nameOfTopic, TOPICS, type Topic } from '../../webhooks/topics.ts'
import { sampleOf } from './samples.ts'

const ID = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
const SIGNATURE = 'CmsFuMIst3unocBLteyNHj5pJPD1d1HKBu3lCcjnOvk='

/** The headers of a notice (docs/decisions.md): name, whether always there, what it says, an example. */
const HEADERS: [name: string, required: boolean, description: string, example: string][] = [
  ['webhook-id', true, 'El Id del evento: el mismo en cada intento y reenvío.', ID],
  ['webhook-timestamp', true, 'Segundos Unix del intento.', '1741089600'],
  [
    'webhook-signature',
    false,
    'Standard Webhooks: v1, y el HMAC-SHA256 en base64 de id, timestamp y cuerpo unidos por puntos. Dos, separadas por un espacio, durante las 24 horas que siguen a un cambio de Secret. Sin Secret no está.',
    `v1,${SIGNATURE}`,
  ],
  ['webhook-attempt', true, 'El número de intento, desde 1.', '1'],
  ['Notification-Hook-ID', true, 'Igual a webhook-id.', ID],
  ['Notification-Timestamp', true, 'Igual a webhook-timestamp.', '1741089600'],
  ['Notification-Topic', true, 'El topic.', 'consulta.recibida'],
  [
    'Notification-Signature',
    false,
    'El HMAC-SHA256 en base64 de id, timestamp y topic unidos por saltos de línea. Sin Secret no está.',
    'nseA6F4mydZIi/mTa7nOVP1DFQri1BVLfeDxIwv4qJI=',
  ],
  [
    'Notification-Signature-Anterior',
    false,
    'La misma, con el Secret anterior, durante las 24 horas que siguen a un cambio.',
    'nseA6F4mydZIi/mTa7nOVP1DFQri1BVLfeDxIwv4qJI=',
  ],
  ['traceparent', true, 'W3C Trace Context.', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
]

const TIME_ZONE = 'America/Argentina/Buenos_Aires'

/** A payload of the topic, the same whenever the document is made. */
function exampleOf(topic: Topic): object {
  const about = { appId: 0, topic, moment: momentOf(ID), timeZone: TIME_ZONE }
  return JSON.parse(buildEvent({ ...about, ...sampleOf(topic, ID, TIME_ZONE) }, ID).payload)
}

const ANSWER = {
  '2XX': { description: 'Recibido. Cualquier otra respuesta, o ninguna en 15 segundos, se reintenta hasta 3 días' },
  410: { description: 'No enviar más: el webhook queda deshabilitado' },
}

/** What we send, topic by topic, for the OpenAPI document. */
export const WEBHOOKS: Webhooks = {
  parameters: Object.fromEntries(
    HEADERS.map(([name, required, description, example]) => [
      name,
      { name, in: 'header', required, description, schema: { type: 'string', examples: [example] } },
    ]),
  ),
  topics: Object.fromEntries(
    TOPICS.map((topic) => [
      topic,
      {
        post: {
          operationId: `recibir${nameOfTopic(topic)}`,
          tags: ['AppNotificaciones'],
          summary: DESCRIPTIONS[topic],
          security: [],
          parameters: HEADERS.map(([name]) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            // eventos/schema.ts
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/Evento${nameOfTopic(topic)}` },
                example: exampleOf(topic),
              },
            },
          },
          responses: ANSWER,
        },
      },
    ]),
  ),
}
