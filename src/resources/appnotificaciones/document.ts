import { readFileSync } from 'node:fs'
import type { Parameter, PathItem } from '../../http/openapi/document.ts'
import { momentOf } from '../../ulid.ts'
import { buildEvent } from '../../webhooks/events.ts'
import { DESCRIPTIONS, nameOfTopic, TOPICS, type Topic } from '../../webhooks/topics.ts'
import { sampleOf } from './samples.ts'

const ID = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
/** The headers of a notice (docs/decisions/webhooks.md); `required`: always there. */
const HEADERS: { name: string; required: boolean; description: string; example: string }[] = JSON.parse(
  readFileSync(new URL('./event-headers.json', import.meta.url), 'utf8'),
)

const TIME_ZONE = 'America/Argentina/Buenos_Aires'

/** A payload of the topic, the same whenever the document is made. */
function exampleOf(topic: Topic): object {
  const about = { appId: 0, topic, moment: momentOf(ID), timeZone: TIME_ZONE }
  return JSON.parse(buildEvent({ ...about, ...sampleOf(topic, ID, TIME_ZONE) }, ID).payload)
}

const ANSWER = {
  '2XX': {
    description:
      'Recibido. Con cualquier otra respuesta, o ninguna en 15 segundos, se reintenta durante unos 3 días (en modo de prueba, 20 minutos)',
  },
  410: { description: 'No enviar más: el webhook queda deshabilitado' },
}

/** Written out in every operation: generators do not resolve references in the parameters of webhooks. */
const PARAMETERS = HEADERS.map(
  ({ name, required, description, example }): Parameter => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', examples: [example] },
  }),
)

export const WEBHOOKS: Record<string, PathItem> = Object.fromEntries(
  TOPICS.map((topic) => [
    topic,
    {
      post: {
        operationId: `recibir${nameOfTopic(topic)}`,
        tags: ['Webhooks'],
        summary: DESCRIPTIONS[topic],
        description:
          'Lo que llega al Callback de la app. Compruebe la firma antes de leerlo, y responda en 15 segundos.',
        security: [],
        parameters: PARAMETERS,
        requestBody: {
          required: true,
          // eventos/eventos.ts
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
)
