import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { App } from '../../apps/app.ts'
import { apiRoutes } from '../../http/api-routes.ts'
import { KIB } from '../../http/body.ts'
import { representationOf } from '../../http/negotiation.ts'
import { notFound } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import type { Db } from '../../store/db.ts'
import { findFrom } from '../../store/replicas.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { orNotFound, requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { ADF_TYPE, adfLead } from './adf.ts'
import { type Consulta, EstadoDeConsulta, serializeConsulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { changeEstado } from './estado.ts'
import { findConsulta } from './read.ts'
import { findConsultaFor, listFor } from './read-for-app.ts'
import { consultaRef, serializeConsultas } from './represent.ts'
import { NO_SUCH_CONSULTA, resendableFrom, resendConsulta } from './resend.ts'
import { ConsultasQuery, SCHEMAS, SidParams } from './schema.ts'
import { appScope } from './scope.ts'

/** /v3/consultas/{adminMail}, …/{sid}, …/{sid}/estado, …/{sid}/resendwebhook */
export function consultasRoutes(app: FastifyInstance, media: Media, deps: ConsultasDeps): void {
  const { store, config, clock } = deps
  const route = apiRoutes(app, media, { tags: ['Consultas'] }, SCHEMAS)
  const one = { description: 'La consulta', entry: 'Consulta', ref: 'ConsultaRef' }
  const renderingFor = (adminMail: string) => ({
    adminMail,
    timeZone: config.timeZone,
    country: config.country,
    resendableFrom: resendableFrom(clock()),
  })
  const serialize = (request: { negotiated: string }, consulta: Consulta, adminMail: string): string =>
    representationOf(request) === 'ref'
      ? JSON.stringify(consultaRef(consulta, renderingFor(adminMail)))
      : serializeConsulta(consulta, renderingFor(adminMail))

  route('GET', '/consultas/:adminMail', {
    operationId: 'listarConsultas',
    summary: 'Las consultas que recibió una agencia',
    description:
      'Las más nuevas primero: las de las publicaciones de la app, y las de catálogo o de otros que la agencia le permite ver.',
    params: AdminMailParams,
    query: ConsultasQuery,
    response: { description: 'Consultas', entry: 'Consultas', ref: 'ConsultasRef' },
    refuses: [404],
    async handle(request) {
      const { caller, params, query } = request
      const page = await listFor(deps, caller, params.adminMail, query)
      return serializeConsultas(page, query, representationOf(request), renderingFor(page.adminMail))
    },
  })

  const adf = Type.String({ description: 'La consulta en ADF 1.0, como la leen los sistemas de las agencias' })
  route('GET', '/consultas/:adminMail/:sid', {
    operationId: 'verConsulta',
    summary: 'Una consulta, mientras se conserve',
    description:
      'También como ADF, según Accept. Después del plazo de conservación ya no está; si la persona pidió que se borraran sus datos, está sin ellos.',
    params: SidParams,
    response: { ...one, others: { [ADF_TYPE]: adf } },
    refuses: [404],
    async handle(request) {
      const { caller, params } = request
      if (request.negotiated === ADF_TYPE) {
        const agencia = await requireAgencia(store, caller, params.adminMail) // ADF also names the agency
        const find = (db: Db) => findConsulta(db, scopeOf(caller, agencia), params.sid)
        const consulta = found(await findFrom(store, `app:${caller.id}`, find))
        return adfLead(consulta, agencia, config)
      }
      const { adminMail, consulta } = orNotFound(await findConsultaFor(store, caller, params.adminMail, params.sid))
      return serialize(request, found(consulta), adminMail)
    },
  })

  route('PUT', '/consultas/:adminMail/:sid/estado', {
    operationId: 'cambiarEstadoDeConsulta',
    summary: 'Cambiar el estado de una consulta',
    description: 'Si cambia, todas las apps que ven la consulta reciben consulta.modificada.',
    params: SidParams,
    body: EstadoDeConsulta,
    bodyLimit: 128 * KIB, // a client may send back all that it read
    response: one,
    refuses: [404],
    async handle(request) {
      const { caller, params, body, headers } = request
      const agencia = await requireAgencia(store, caller, params.adminMail)
      const consulta = await changeEstado(deps, {
        agencia,
        scope: scopeOf(caller, agencia),
        sid: params.sid,
        estado: body.Estado,
        by: { appId: caller.id },
        traceparent: headers.traceparent?.toString(),
      })
      return serialize(request, found(consulta), agencia.adminMail)
    },
  })

  route('POST', '/consultas/:adminMail/:sid/resendwebhook', {
    operationId: 'reenviarWebhookDeConsulta',
    summary: 'Reenviar la notificación de una consulta de los últimos 30 días',
    description:
      'Con el Id y el cuerpo de la primera vez, sin los datos de la persona si se borraron. La respuesta trae lo que se envía.',
    params: SidParams,
    response: { description: 'Lo que se envía; Location es el Callback', entry: 'EventoConsultaRecibida', status: 202 },
    refuses: [403, 404],
    async handle({ caller, params, headers }, reply) {
      const sent = await resendConsulta(deps, caller, { ...params, traceparent: headers.traceparent?.toString() })
      reply.header('location', sent.callback)
      return sent.payload
    },
  })
}

const scopeOf = (app: App, { id, permisos }: AgenciaOfApp) => ({ agenciaId: id, app: appScope(app, permisos) })

function found(consulta: Consulta | undefined): Consulta {
  if (!consulta) throw notFound(NO_SUCH_CONSULTA)
  return consulta
}
