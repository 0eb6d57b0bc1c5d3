import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { KIB, MAX_BODY_BYTES } from '../../http/body.ts'
import { formOf } from '../../http/catalogue-routes.ts'
import { forbidden } from '../../http/problems.ts'
import { acts, answers, type Media, reads } from '../../http/responses.ts'
import type { AgenciaOfApp, Invitacion } from './agencia.ts'
import { leaveAgencia } from './associations.ts'
import type { AgenciasDeps } from './context.ts'
import { edit, NOT_YOURS } from './edit.ts'
import { findInvitacion } from './invitation.ts'
import { invite } from './invite.ts'
import { findPackage } from './packages.ts'
import { findAgencia, listAgencias, orNotFound, requireAgencia } from './read.ts'
import {
  agenciaEntry,
  agenciaHref,
  agenciaRef,
  agenciasLinks,
  estadoOf,
  invitacionEntry,
  productosEntry,
} from './represent.ts'
import { AdminMailParams, type AgenciaCreate, type AgenciaEdit, AgenciasQuery, SCHEMAS } from './schema.ts'

interface OfAgencia {
  Params: { adminMail: string }
}

const tags = ['Agencias']
const caching = 'no-store' as const

/** /v3/agencias, /v3/agencias/{adminMail}, …/desasociar, …/productos */
export function agenciasRoutes(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  listAndInvite(app, media, deps)
  oneAgencia(app, media, deps)
  stateAndLeaving(app, media, deps)
  productos(app, media, deps)
}

function listAndInvite(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  const { timeZone } = deps.config
  app.get<{ Querystring: { operador?: string } }>(
    '/agencias',
    {
      schema: {
        tags,
        operationId: 'listarAgencias',
        summary: 'Las agencias asociadas con la app',
        querystring: AgenciasQuery,
        response: reads(
          media,
          { description: 'Agencias', entry: Type.Ref('Agencias'), ref: Type.Ref('AgenciasRef') },
          [400],
        ),
      },
      config: { caching },
    },
    async (request) => {
      const { operador } = request.query
      const agencias = await listAgencias(deps.store, request.caller, operador)
      const entries = agencias.map((agencia) =>
        isRef(request) ? agenciaRef(agencia) : agenciaEntry(agencia, timeZone),
      )
      return serialize({ _links: agenciasLinks(operador), _entries: entries })
    },
  )

  app.post<{ Body: AgenciaCreate }>(
    '/agencias',
    {
      bodyLimit: 32 * KIB,
      schema: {
        tags,
        operationId: 'invitarAgencia',
        summary: 'Invitar a una agencia por correo',
        description: 'Quien ya está registrado no recibe invitación: la página de Extensions.Conectar la asocia.',
        body: Type.Ref('AgenciaCreate'),
        response: acts(202, 'Invitada: el estado se lee en Location', [400, 409, 413, 415]),
      },
    },
    async (request, reply) => {
      const adminMail = await invite(deps, request.caller, request.body)
      return reply.code(202).header('location', agenciaHref(adminMail)).send()
    },
  )
}

function oneAgencia(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  const { timeZone } = deps.config
  const success = { description: 'La agencia', entry: Type.Ref('Agencia'), ref: Type.Ref('Ref') }
  app.get<OfAgencia>(
    '/agencias/:adminMail',
    {
      schema: {
        tags,
        operationId: 'verAgencia',
        summary: 'Una agencia asociada, o una invitación de la app',
        params: AdminMailParams,
        response: reads(media, success, [400, 404]),
      },
      config: { caching },
    },
    async (request) => {
      const found = await findVisible(deps, request)
      if (isRef(request)) return serialize(agenciaRef(found))
      return serialize('permisos' in found ? agenciaEntry(found, timeZone) : invitacionEntry(found, timeZone))
    },
  )

  app.put<OfAgencia & { Body: AgenciaEdit }>(
    '/agencias/:adminMail',
    {
      bodyLimit: MAX_BODY_BYTES, // what was read can be sent back, with all its Operadores
      schema: {
        tags,
        operationId: 'editarAgencia',
        summary: 'Reemplazar los datos de una agencia',
        description: 'Lo que falta queda en null. Quien la administra recibe cada cambio por correo.',
        params: AdminMailParams,
        body: Type.Ref('AgenciaEdit'),
        response: answers(media, success, [400, 403, 412, 413, 415]),
      },
      config: { caching },
    },
    async (request) => {
      const { caller, params, body, headers } = request
      const agencia = await edit(deps, caller, params.adminMail, body, headers['if-match'])
      return serialize(isRef(request) ? agenciaRef(agencia) : agenciaEntry(agencia, timeZone))
    },
  )
}

function stateAndLeaving(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  const { timeZone } = deps.config
  app.options<OfAgencia>(
    '/agencias/:adminMail',
    {
      schema: {
        tags,
        operationId: 'verEstadoDeAgencia',
        summary: 'El estado de una agencia o de su invitación',
        params: AdminMailParams,
        response: answers(media, { description: 'El estado', entry: Type.Ref('AgenciaEstado') }, [400, 404]),
      },
      config: { caching },
    },
    async (request, reply) => {
      const found = await findVisible(deps, request)
      const mayEdit = 'permisos' in found && found.permisos.editar
      reply.header('allow', mayEdit ? 'GET, HEAD, PUT, OPTIONS' : 'GET, HEAD, OPTIONS')
      return serialize(estadoOf(found, timeZone))
    },
  )

  app.patch<OfAgencia>(
    '/agencias/:adminMail/desasociar',
    {
      schema: {
        tags,
        operationId: 'desasociarAgencia',
        summary: 'Desasociar una agencia de la app, o revocar su invitación',
        params: AdminMailParams,
        response: acts(204, 'Desasociada', [400, 403]),
      },
    },
    async (request, reply) => {
      if (!(await leaveAgencia(deps, request.caller, request.params.adminMail))) throw forbidden(NOT_YOURS)
      return reply.code(204).send()
    },
  )
}

function productos(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  app.get<OfAgencia>(
    '/agencias/:adminMail/productos',
    {
      schema: {
        tags,
        operationId: 'verProductosDeAgencia',
        summary: 'El paquete contratado y lo que queda de él',
        params: AdminMailParams,
        response: reads(media, { description: 'El paquete', entry: Type.Ref('AgenciaProductos') }, [400, 404]),
      },
      config: { caching },
    },
    async (request) => {
      const agencia = await requireAgencia(deps.store, request.caller, request.params.adminMail)
      const found = await findPackage(deps.store, agencia.id, deps.config.timeZone)
      return serialize(productosEntry(agencia.adminMail, found))
    },
  )
}

/** The agency or invitation that the app sees under that mail; 404 for another's agency too. */
async function findVisible(
  { store }: AgenciasDeps,
  { caller, params }: FastifyRequest<OfAgencia>,
): Promise<AgenciaOfApp | Invitacion> {
  const { adminMail } = params
  return orNotFound((await findAgencia(store, caller, adminMail)) ?? (await findInvitacion(store, caller, adminMail)))
}

const isRef = (request: { negotiated: string }) => formOf(request) === 'ref'

const serialize = (value: object): string => JSON.stringify(value)
