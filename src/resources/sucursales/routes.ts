import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { KIB } from '../../http/body.ts'
import { notFound } from '../../http/problems.ts'
import { acts, answers, type Media, reads } from '../../http/responses.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { add, byApp, edit, NO_SUCH_SUCURSAL, remove, type StoredSucursal } from './edit.ts'
import { findSucursal, listSucursales } from './store.ts'
import {
  SCHEMAS,
  SucursalParams,
  type SucursalUpsert,
  sucursalEntry,
  sucursalesList,
  sucursalHref,
} from './sucursal.ts'

interface OfAgencia {
  Params: { adminMail: string }
}
interface OfSucursal {
  Params: { adminMail: string; id: number }
}

const tags = ['Sucursales']
const caching = 'no-store' as const
const one = { description: 'La sucursal', entry: Type.Ref('Sucursal') }

/** /v3/sucursales/{adminMail}, …/{id} */
export function sucursalesRoutes(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  listAndAdd(app, media, deps)
  oneSucursal(app, media, deps)
}

function listAndAdd(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  app.get<OfAgencia>(
    '/sucursales/:adminMail',
    {
      schema: {
        tags,
        operationId: 'listarSucursales',
        summary: 'Los locales de una agencia',
        params: AdminMailParams,
        response: reads(media, { description: 'Sucursales', entry: Type.Ref('Sucursales') }, [400, 404]),
      },
      config: { caching },
    },
    async ({ caller, params }) => {
      const agencia = await requireAgencia(deps.store, caller, params.adminMail)
      const rows = await listSucursales(deps.store, agencia.id)
      return print(sucursalesList(rows, agencia.adminMail, agencia.permisos.editar))
    },
  )

  app.post<OfAgencia & { Body: SucursalUpsert }>(
    '/sucursales/:adminMail',
    {
      bodyLimit: 64 * KIB,
      schema: {
        tags,
        operationId: 'agregarSucursal',
        summary: 'Agregar un local a una agencia',
        params: AdminMailParams,
        body: Type.Ref('SucursalUpsert'),
        response: answers(media, one, [400, 403, 404, 413, 415], 201),
      },
      config: { caching },
    },
    async ({ caller, params, body }, reply) => {
      const kept = await add(deps, byApp(caller, params.adminMail), body)
      reply.code(201).header('location', sucursalHref(kept.agencia.adminMail, kept.sucursal.id))
      return printOne(kept)
    },
  )
}

function oneSucursal(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  app.get<OfSucursal>(
    '/sucursales/:adminMail/:id',
    {
      schema: {
        tags,
        operationId: 'verSucursal',
        summary: 'Un local de una agencia',
        params: SucursalParams,
        response: reads(media, one, [400, 404]),
      },
      config: { caching },
    },
    async ({ caller, params }) => {
      const agencia = await requireAgencia(deps.store, caller, params.adminMail)
      const sucursal = await findSucursal(deps.store, agencia.id, params.id)
      if (!sucursal) throw notFound(NO_SUCH_SUCURSAL)
      return printOne({ agencia, sucursal })
    },
  )

  app.put<OfSucursal & { Body: SucursalUpsert }>(
    '/sucursales/:adminMail/:id',
    {
      bodyLimit: 64 * KIB,
      schema: {
        tags,
        operationId: 'editarSucursal',
        summary: 'Reemplazar los datos de un local',
        params: SucursalParams,
        body: Type.Ref('SucursalUpsert'),
        response: answers(media, one, [400, 403, 404, 412, 413, 415]),
      },
      config: { caching },
    },
    async ({ caller, params, body, headers }) =>
      printOne(await edit(deps, byApp(caller, params.adminMail), params.id, body, headers['if-match'])),
  )

  app.delete<OfSucursal>(
    '/sucursales/:adminMail/:id',
    {
      schema: {
        tags,
        operationId: 'eliminarSucursal',
        summary: 'Quitar un local de una agencia',
        params: SucursalParams,
        response: acts(204, 'Quitada', [400, 403, 404]),
      },
    },
    async ({ caller, params }, reply) => {
      await remove(deps, byApp(caller, params.adminMail), params.id)
      return reply.code(204).send()
    },
  )
}

const printOne = ({ agencia, sucursal }: StoredSucursal<AgenciaOfApp>): string =>
  print(sucursalEntry(sucursal, agencia.adminMail, agencia.permisos.editar))

const print = (value: object): string => JSON.stringify(value)
