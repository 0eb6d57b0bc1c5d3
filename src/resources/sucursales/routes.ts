import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '../../http/api-routes.ts'
import { KIB } from '../../http/body.ts'
import { notFound } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { add, byApp, edit, NO_SUCH_SUCURSAL, remove, type StoredSucursal } from './edit.ts'
import { findSucursal, listSucursales } from './store.ts'
import { SCHEMAS, SucursalParams, SucursalUpsert, sucursalEntry, sucursalesList, sucursalHref } from './sucursal.ts'

/** /v3/sucursales/{adminMail}, …/{id} */
export function sucursalesRoutes(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  const route = apiRoutes(app, media, { tags: ['Sucursales'] }, SCHEMAS)
  const one = { description: 'La sucursal', entry: 'Sucursal' }

  route('GET', '/sucursales/:adminMail', {
    operationId: 'listarSucursales',
    summary: 'Las sucursales de una agencia',
    description: 'Todas, sin paginar, con sus horarios.',
    params: AdminMailParams,
    response: { description: 'Sucursales', entry: 'Sucursales' },
    refuses: [404],
    async handle({ caller, params }) {
      const agencia = await requireAgencia(deps.store, caller, params.adminMail)
      const rows = await listSucursales(deps.store, agencia.id)
      return sucursalesList(rows, agencia.adminMail, agencia.permisos.editar)
    },
  })

  route('POST', '/sucursales/:adminMail', {
    operationId: 'agregarSucursal',
    summary: 'Agregar una sucursal a una agencia',
    description: 'Hace falta el permiso de editar la agencia. Lo que falta queda en null.',
    params: AdminMailParams,
    body: SucursalUpsert,
    bodyLimit: 64 * KIB,
    response: { ...one, status: 201 },
    refuses: [403, 404],
    async handle({ caller, params, body }, reply) {
      const stored = await add(deps, byApp(caller, params.adminMail), body)
      reply.header('location', sucursalHref(stored.agencia.adminMail, stored.sucursal.id))
      return entryOf(stored)
    },
  })

  route('GET', '/sucursales/:adminMail/:id', {
    operationId: 'verSucursal',
    summary: 'Una sucursal de una agencia',
    description: 'Con su dirección, sus teléfonos y sus horarios.',
    params: SucursalParams,
    response: one,
    refuses: [404],
    async handle({ caller, params }) {
      const agencia = await requireAgencia(deps.store, caller, params.adminMail)
      const sucursal = await findSucursal(deps.store, agencia.id, params.id)
      if (!sucursal) throw notFound(NO_SUCH_SUCURSAL)
      return entryOf({ agencia, sucursal })
    },
  })

  route('PUT', '/sucursales/:adminMail/:id', {
    operationId: 'editarSucursal',
    summary: 'Reemplazar los datos de una sucursal',
    description: 'Hace falta el permiso de editar la agencia. Lo que falta queda en null.',
    params: SucursalParams,
    body: SucursalUpsert,
    bodyLimit: 64 * KIB,
    response: one,
    refuses: [403, 404, 412],
    async handle({ caller, params, body, headers }) {
      const lock = byApp(caller, params.adminMail)
      return entryOf(await edit(deps, lock, params.id, body, headers['if-match']))
    },
  })

  route('DELETE', '/sucursales/:adminMail/:id', {
    operationId: 'eliminarSucursal',
    summary: 'Quitar una sucursal de una agencia',
    description: 'Hace falta el permiso de editar la agencia. Es definitivo.',
    params: SucursalParams,
    response: { description: 'Quitada' },
    refuses: [403, 404],
    handle: ({ caller, params }) => remove(deps, byApp(caller, params.adminMail), params.id),
  })
}

const entryOf = ({ agencia, sucursal }: StoredSucursal<AgenciaOfApp>) =>
  sucursalEntry(sucursal, agencia.adminMail, agencia.permisos.editar)
