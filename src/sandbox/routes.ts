import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Config } from '../config.ts'
import { KIB } from '../http/body.ts'
import { forbidden } from '../http/problems.ts'
import { answers, type Media } from '../http/responses.ts'
import type { ConsultaIntake } from '../resources/consultas/intake.ts'
import { consultaRef } from '../resources/consultas/represent.ts'
import type { Db } from '../store/db.ts'
import { chanceOf } from './fiction/chance.ts'
import { type InquiriesWanted, inquire, SCHEMAS } from './inquire.ts'

interface SandboxRoutesDeps {
  store: Db
  intake: ConsultaIntake
  config: Pick<Config, 'country' | 'timeZone'>
}

/** POST /v3/prueba/consultas: creates inquiries about the listings of an app in test mode. */
export function sandboxRoutes(app: FastifyInstance, media: Media, { store, intake, config }: SandboxRoutesDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  app.post<{ Body: InquiriesWanted }>(
    '/prueba/consultas',
    {
      bodyLimit: 16 * KIB,
      schema: {
        tags: ['Prueba'],
        operationId: 'generarConsultasDePrueba',
        summary: 'Generar consultas en modo de prueba',
        description:
          'Para apps en modo prueba: personas inventadas preguntan por las publicaciones de la app. Las consultas llegan por el mismo camino que las verdaderas, con sus webhooks.',
        body: Type.Ref('PruebaConsultas'),
        response: answers(
          media,
          { description: 'Las consultas que llegaron', entry: Type.Ref('ConsultasGeneradas') },
          [400, 403, 413, 415],
          201,
        ),
      },
      config: { caching: 'no-store' },
    },
    async ({ caller, body }, reply) => {
      if (caller.modo !== 'prueba') throw forbidden('Solo las apps en modo prueba generan consultas.')
      const chance = chanceOf(randomInt(2 ** 32))
      const received = await inquire({ store, intake, country: config.country, chance }, caller, body)
      const _entries = received.map(({ consulta, adminMail }) =>
        consultaRef(consulta, { adminMail, timeZone: config.timeZone }),
      )
      reply.code(201).header('location', _entries[0]?.href) // the first; the body has all
      return Buffer.from(
        JSON.stringify({ _links: { self: { href: '/v3/prueba/consultas', method: 'POST' } }, _entries }),
      )
    },
  )
}
