import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../apps/app.ts'
import { KIB } from '../../http/body.ts'
import { formOf } from '../../http/catalogue-routes.ts'
import { notFound } from '../../http/problems.ts'
import { answers, type Media, reads } from '../../http/responses.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { orNotFound, requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { ADF_TYPE, adfLead } from './adf.ts'
import { type Consulta, type ConsultaEstado, serializeConsulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { changeEstado } from './estado.ts'
import { findConsulta } from './read.ts'
import { findConsultaFor, listFor } from './read-for-app.ts'
import { consultaRef, serializeConsultas } from './represent.ts'
import { NO_SUCH_CONSULTA, resendableFrom, resendConsulta } from './resend.ts'
import { ConsultasQuery, SCHEMAS, SidParams } from './schema.ts'
import { appScope } from './scope.ts'

interface OfAgencia {
  Params: { adminMail: string }
}
interface OfConsulta {
  Params: { adminMail: string; sid: string }
}

const tags = ['Consultas']
const caching = 'no-store' as const

/** /v3/consultas/{adminMail}, …/{sid}, …/{sid}/estado, …/{sid}/resendwebhook */
export function consultasRoutes(app: FastifyInstance, media: Media, deps: ConsultasDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  list(app, media, deps)
  one(app, media, deps)
  estado(app, media, deps)
  resending(app, media, deps)
}

function list(app: FastifyInstance, media: Media, deps: ConsultasDeps): void {
  const success = { description: 'Consultas', entry: Type.Ref('Consultas'), ref: Type.Ref('ConsultasRef') }
  app.get<OfAgencia & { Querystring: ConsultasQuery }>(
    '/consultas/:adminMail',
    {
      schema: {
        tags,
        operationId: 'listarConsultas',
        summary: 'Las consultas que recibió una agencia',
        description:
          'Las más nuevas primero: las de las publicaciones de la app, y las de catálogo o de otros que la agencia le permite ver.',
        params: AdminMailParams,
        querystring: ConsultasQuery,
        response: reads(media, success, [400, 404]),
      },
      config: { caching },
    },
    async (request) => {
      const { caller, params, query } = request
      const found = await listFor(deps, caller, params.adminMail, query)
      return serializeConsultas(found, query, formOf(request), renderingFor(found.adminMail, deps))
    },
  )
}

const oneConsulta = { description: 'La consulta', entry: Type.Ref('Consulta'), ref: Type.Ref('Ref') }

function one(app: FastifyInstance, media: Media, deps: ConsultasDeps): void {
  const adf = Type.String({ description: 'El lead en ADF 1.0, como lo leen los sistemas de las agencias' })
  app.get<OfConsulta>(
    '/consultas/:adminMail/:sid',
    {
      schema: {
        tags,
        operationId: 'verConsulta',
        summary: 'Una consulta, mientras se conserve',
        params: SidParams,
        response: reads(media, { ...oneConsulta, others: { [ADF_TYPE]: adf } }, [400, 404]),
      },
      config: { caching },
    },
    async (request) => {
      if (request.negotiated === ADF_TYPE) return lead(request, deps)
      const { adminMail, sid } = request.params
      const found = orNotFound(await findConsultaFor(deps.store, request.caller, adminMail, sid))
      if (!found.consulta) throw notFound(NO_SUCH_CONSULTA)
      return serialize(request, found.consulta, found.adminMail, deps)
    },
  )
}

/** ADF also names the agency. */
async function lead(request: FastifyRequest<OfConsulta>, { store, config }: ConsultasDeps): Promise<Buffer> {
  const { caller, params } = request
  const agencia = await requireAgencia(store, caller, params.adminMail)
  const consulta = await findConsulta(store, scopeOf(caller, agencia), params.sid)
  if (!consulta) throw notFound(NO_SUCH_CONSULTA)
  return Buffer.from(adfLead(consulta, agencia, config))
}

function estado(app: FastifyInstance, media: Media, deps: ConsultasDeps): void {
  app.put<OfConsulta & { Body: ConsultaEstado }>(
    '/consultas/:adminMail/:sid/estado',
    {
      bodyLimit: 128 * KIB, // a client may send back all that it read
      schema: {
        tags,
        operationId: 'cambiarEstadoDeConsulta',
        summary: 'En qué estado está el trabajo sobre una consulta',
        description: 'Si cambia, todas las apps que ven la consulta reciben consulta.modificada.',
        params: SidParams,
        body: Type.Ref('ConsultaEstado'),
        response: answers(media, oneConsulta, [400, 404, 413, 415]),
      },
      config: { caching },
    },
    async (request) => {
      const { caller, params, body, headers } = request
      const agencia = await requireAgencia(deps.store, caller, params.adminMail)
      const consulta = await changeEstado(deps, {
        agencia,
        scope: scopeOf(caller, agencia),
        sid: params.sid,
        estado: body.Estado,
        traceparent: headers.traceparent?.toString(),
      })
      if (!consulta) throw notFound(NO_SUCH_CONSULTA)
      return serialize(request, consulta, agencia.adminMail, deps)
    },
  )
}

function resending(app: FastifyInstance, media: Media, deps: ConsultasDeps): void {
  const success = { description: 'Lo que se envía; Location es el Callback', entry: Type.Ref('EventoConsultaRecibida') }
  app.post<OfConsulta>(
    '/consultas/:adminMail/:sid/resendwebhook',
    {
      schema: {
        tags,
        operationId: 'reenviarWebhookDeConsulta',
        summary: 'Enviar otra vez el webhook de una consulta de los últimos 30 días',
        params: SidParams,
        response: answers(media, success, [400, 403, 404], 202),
      },
      config: { caching },
    },
    async (request, reply) => {
      const { caller, params, headers } = request
      const sent = await resendConsulta(deps, caller, { ...params, traceparent: headers.traceparent?.toString() })
      return reply.code(202).header('location', sent.callback).send(Buffer.from(sent.payload))
    },
  )
}

const scopeOf = (app: App, { id, permisos }: AgenciaOfApp) => ({ agenciaId: id, app: appScope(app, permisos) })

const renderingFor = (adminMail: string, { config, clock }: ConsultasDeps) => ({
  adminMail,
  timeZone: config.timeZone,
  resendableFrom: resendableFrom(clock()),
})

function serialize(
  request: { negotiated: string },
  consulta: Consulta,
  adminMail: string,
  deps: ConsultasDeps,
): string {
  const rendering = renderingFor(adminMail, deps)
  return formOf(request) === 'ref'
    ? JSON.stringify(consultaRef(consulta, rendering))
    : serializeConsulta(consulta, rendering)
}
