import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { KIB } from '../http/body.ts'
import { readOnce } from '../http/idempotency.ts'
import { answers, type Media } from '../http/responses.ts'
import { type ConsultaCreate, consultaHref, serializeConsulta } from '../resources/consultas/consulta.ts'
import type { ConsultaIntake } from '../resources/consultas/intake.ts'
import type { Origin } from '../resources/consultas/lookup.ts'
import { normalizeInquiry } from '../resources/consultas/person.ts'
import { CREATE_SCHEMAS, SCHEMAS } from '../resources/consultas/schema.ts'
import { SITIO } from './schema.ts'

/** POST /interno/v1/consultas: an inquiry comes in from the marketplace's own site. */
export function intakeConsultas(app: FastifyInstance, media: Media, intake: ConsultaIntake, timeZone: string): void {
  for (const schema of [...SCHEMAS, ...CREATE_SCHEMAS]) app.addSchema(schema)
  app.post<{ Body: ConsultaCreate }>(
    '/v1/consultas',
    {
      bodyLimit: 128 * KIB,
      schema: {
        ...SITIO,
        operationId: 'recibirConsulta',
        summary: 'Entregar una consulta',
        description:
          'Un aviso suspendido o archivado no la rechaza. Repetida con la misma Idempotency-Key y el mismo cuerpo dentro de 24 horas, es una sola y la respuesta es la misma; con otro cuerpo, 409. El traceparent se pasa a los webhooks.',
        headers: IntakeHeaders,
        body: Type.Ref('ConsultaCreate'),
        response: answers(
          media,
          { description: 'La consulta; Location es su dirección bajo /v3', entry: Type.Ref('Consulta') },
          [400, 409, 413, 415],
          201,
        ),
      },
      config: { caching: 'no-store' },
      preValidation: (request, _reply, done) => {
        normalizeInquiry(request.body)
        done()
      },
    },
    async (request, reply) => {
      const { consulta, adminMail } = await intake.receive(originOf(request), request.body)
      reply.code(201).header('location', consultaHref(adminMail, consulta.sid))
      return Buffer.from(serializeConsulta(consulta, { adminMail, timeZone }))
    },
  )
}

const IntakeHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({ maxLength: 255, description: 'De 1 a 255 caracteres ASCII visibles, propia de cada consulta' }),
  ),
  traceparent: Type.Optional(Type.String({ description: 'W3C Trace Context' })),
})

function originOf({ sitio, headers, bytes }: FastifyRequest): Origin {
  const once = readOnce(headers['idempotency-key'], bytes)
  return { modo: sitio.modo, sitioId: sitio.id, once, traceparent: headers.traceparent as string | undefined }
}
