import type { FastifyInstance } from 'fastify'
import type { App } from '../../apps/app.ts'
import { apiRoutes } from '../../http/api-routes.ts'
import { KIB, MAX_BODY_BYTES } from '../../http/body.ts'
import { representationOf } from '../../http/negotiation.ts'
import type { Media } from '../../http/responses.ts'
import type { AgenciaOfApp, Invitacion } from './agencia.ts'
import { leaveAgencia } from './associations.ts'
import type { AgenciasDeps } from './context.ts'
import { edit, notYours } from './edit.ts'
import { findInvitacion } from './invitacion-store.ts'
import { invite } from './invite.ts'
import { agenciaLists } from './list.ts'
import { findPaquete } from './paquetes.ts'
import { findAgencia, orNotFound, requireAgencia } from './read.ts'
import {
  agenciaEntry,
  agenciaHref,
  agenciaRef,
  agenciasLinks,
  estadoOf,
  invitacionEntry,
  productosEntry,
} from './represent.ts'
import { AdminMailParams, AgenciaCreate, AgenciaEdit, AgenciasQuery, SCHEMAS } from './schema.ts'

/** /v3/agencias, /v3/agencias/{adminMail}, …/desasociar, …/productos */
export function agenciasRoutes(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  const { store, config } = deps
  const route = apiRoutes(app, media, { tags: ['Agencias'] }, SCHEMAS)
  const list = agenciaLists(store)
  const one = { description: 'La agencia', entry: 'Agencia', ref: 'AgenciaRef' }

  /** The agency or invitation that the app sees under that mail; 404 for another's agency too. */
  const findVisible = async (caller: App, adminMail: string): Promise<AgenciaOfApp | Invitacion> =>
    orNotFound((await findAgencia(store, caller, adminMail)) ?? (await findInvitacion(store, caller, adminMail)))

  const represent = (request: { negotiated: string }, found: AgenciaOfApp | Invitacion): object => {
    if (representationOf(request) === 'ref') return agenciaRef(found)
    return 'permisos' in found ? agenciaEntry(found, config.timeZone) : invitacionEntry(found, config.timeZone)
  }

  route('GET', '/agencias', {
    operationId: 'listarAgencias',
    summary: 'Las agencias asociadas con la app',
    description: 'Sin paginar. Las invitaciones pendientes no están: se leen en su propia dirección.',
    query: AgenciasQuery,
    response: { description: 'Agencias', entry: 'Agencias', ref: 'AgenciasRef' },
    handle(request) {
      const { operador } = request.query
      const entryOf = (agencia: AgenciaOfApp) => represent(request, agencia)
      return list(request.caller, operador, { key: request.negotiated, links: agenciasLinks(operador), entryOf })
    },
  })

  route('POST', '/agencias', {
    operationId: 'invitarAgencia',
    summary: 'Invitar a una agencia por correo',
    description:
      'Una agencia ya registrada no recibe invitación (409): su administrador la asocia en la página de Extensions.Conectar.',
    body: AgenciaCreate,
    bodyLimit: 32 * KIB,
    response: { description: 'Invitada: el estado se lee en Location', status: 202 },
    refuses: [409],
    async handle({ caller, body }, reply) {
      reply.header('location', agenciaHref(await invite(deps, caller, body)))
    },
  })

  route('GET', '/agencias/:adminMail', {
    operationId: 'verAgencia',
    summary: 'Una agencia asociada, o una invitación de la app',
    description:
      'Mientras la invitación esté pendiente, Estado es invitada y faltan los datos que solo tiene una agencia registrada.',
    params: AdminMailParams,
    response: one,
    refuses: [404],
    async handle(request) {
      return represent(request, await findVisible(request.caller, request.params.adminMail))
    },
  })

  route('PUT', '/agencias/:adminMail', {
    operationId: 'editarAgencia',
    summary: 'Reemplazar los datos de una agencia',
    description: 'Lo que falta queda en null. Quien la administra recibe cada cambio por correo.',
    params: AdminMailParams,
    body: AgenciaEdit,
    bodyLimit: MAX_BODY_BYTES, // what was read can be sent back, with all its Operadores
    response: one,
    refuses: [403, 412],
    async handle(request) {
      const { caller, params, body, headers } = request
      return represent(request, await edit(deps, caller, params.adminMail, body, headers['if-match']))
    },
  })

  route('OPTIONS', '/agencias/:adminMail', {
    operationId: 'verEstadoDeAgencia',
    summary: 'El estado de una agencia o de su invitación',
    description: 'Para seguir una invitación sin leer la agencia entera. Allow dice además qué puede hacer la app.',
    params: AdminMailParams,
    response: { description: 'El estado', entry: 'EstadoDeAgencia' },
    refuses: [404],
    async handle({ caller, params }, reply) {
      const found = await findVisible(caller, params.adminMail)
      const mayEdit = 'permisos' in found && found.permisos.editar
      reply.header('allow', mayEdit ? 'GET, HEAD, PUT, OPTIONS' : 'GET, HEAD, OPTIONS')
      return estadoOf(found, config.timeZone)
    },
  })

  route('PATCH', '/agencias/:adminMail/desasociar', {
    operationId: 'desasociarAgencia',
    summary: 'Desasociar una agencia de la app, o revocar su invitación',
    description: 'La agencia conserva su cuenta, y lo que la app publicó de ella queda suspendido.',
    params: AdminMailParams,
    response: { description: 'Desasociada' },
    refuses: [403],
    async handle({ caller, params }) {
      if (!(await leaveAgencia(deps, caller, params.adminMail))) throw notYours()
    },
  })

  route('GET', '/agencias/:adminMail/productos', {
    operationId: 'verProductosDeAgencia',
    summary: 'El paquete contratado y lo que queda de él',
    description: 'Cuántas publicaciones de cada exposición tiene contratadas, usadas y disponibles, y hasta cuándo.',
    params: AdminMailParams,
    response: { description: 'El paquete', entry: 'AgenciaProductos' },
    refuses: [404],
    async handle({ caller, params }) {
      const { id, adminMail } = await requireAgencia(store, caller, params.adminMail)
      return productosEntry(adminMail, await findPaquete(store, id, config.timeZone))
    },
  })
}
