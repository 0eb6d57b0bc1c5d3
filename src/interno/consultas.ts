import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Config } from '../config.ts'
import { apiRoutes } from '../http/api-routes.ts'
import { KIB } from '../http/body.ts'
import { readIdempotencyKey } from '../http/idempotency.ts'
import type { Media } from '../http/responses.ts'
import { ConsultaCreate, consultaHref, serializeConsulta } from '../resources/consultas/consulta.ts'
import type { ConsultaIntake } from '../resources/consultas/intake.ts'
import type { Origin } from '../resources/consultas/lookup.ts'
import { normalizeConsulta } from '../resources/consultas/person.ts'
import { CREATE_SCHEMAS, SCHEMAS } from '../resources/consultas/schema.ts'
import { SITIO } from './schema.ts'

type IntakeConfig = Pick<Config, 'timeZone' | 'country'>

/** POST /interno/v1/consultas: an inquiry comes in from the marketplace's own site. */
export function intakeRoutes(app: FastifyInstance, media: Media, intake: ConsultaIntake, config: IntakeConfig): void {
  apiRoutes(app, media, SITIO, [...SCHEMAS, ...CREATE_SCHEMAS])('POST', '/consultas', {
    operationId: 'recibirConsulta',
    summary: 'Entregar una consulta',
    description:
      'Se acepta también si el aviso está suspendido o archivado. Repetida con la misma Idempotency-Key y el mismo cuerpo dentro de 24 horas, es una sola y la respuesta es la misma; con otro cuerpo, 409. El traceparent se pasa a los webhooks.',
    headers: IntakeHeaders,
    body: ConsultaCreate,
    bodyLimit: 128 * KIB,
    preValidation(request, _reply, done) {
      normalizeConsulta(request.body)
      done()
    },
    response: { description: 'La consulta; Location es su dirección bajo /v3', entry: 'Consulta', status: 201 },
    refuses: [409],
    async handle(request, reply) {
      const { consulta, adminMail } = await intake.receive(originOf(request), request.body)
      reply.header('location', consultaHref(adminMail, consulta.sid))
      return serializeConsulta(consulta, { ...config, adminMail })
    },
  })
}

const IntakeHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ maxLength: 255, description: 'De 1 a 255 caracteres ASCII visibles, propia de cada consulta' }),
  ),
  traceparent: Type.Optional(Type.String({ description: 'W3C Trace Context' })),
})

function originOf({ sitio, headers, rawBody }: Pick<FastifyRequest, 'sitio' | 'headers' | 'rawBody'>): Origin {
  const idempotencyKey = readIdempotencyKey(headers['idempotency-key'], rawBody)
  return { modo: sitio.modo, sitioId: sitio.id, idempotencyKey, traceparent: headers.traceparent as string | undefined }
}
