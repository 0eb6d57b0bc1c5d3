import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { KIB } from '../../http/body.ts'
import { etagOf } from '../../http/etag.ts'
import type { Media } from '../../http/media.ts'
import { notFound } from '../../http/problems.ts'
import { acts, answers, reads } from '../../http/responses.ts'
import { formOf } from '../../http/serialized-catalogue.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { findAgencia } from '../agencias/store.ts'
import { archive } from './archive.ts'
import { CREATE_SCHEMAS, type PublicacionCreate, type PublicacionEdit } from './create-schema.ts'
import type { PublicacionesDeps } from './deps.ts'
import { type Edited, edit } from './edit.ts'
import { listPublicaciones } from './list.ts'
import { loteRoutes } from './lote/routes.ts'
import { NO_SUCH_AGENCIA, NO_SUCH_PUBLICACION } from './opening.ts'
import { publish } from './publish.ts'
import { publicacionEntry, publicacionesPage, publicacionHref, publicacionRef } from './represent.ts'
import { PublicacionesQuery, PublicacionParams, SCHEMAS } from './schema.ts'
import { statisticsRoutes } from './statistics-routes.ts'
import { findPublicacion } from './store.ts'

interface OfAgencia {
  Params: { adminMail: string }
}
interface OfPublicacion {
  Params: { adminMail: string; externalid: string }
}

const tags = ['Publicaciones']
const caching = 'no-store' as const

/** /v3/publicaciones/{adminMail}, …/{externalid}, …/{externalid}/estadisticas, …/lote */
export function publicacionesRoutes(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  for (const schema of [...SCHEMAS, ...CREATE_SCHEMAS]) app.addSchema(schema)
  listAndPublish(app, media, deps)
  loteRoutes(app, media, deps)
  onePublicacion(app, media, deps)
  statisticsRoutes(app, media, deps)
}

const one = { description: 'La publicación', entry: Type.Ref('Publicacion'), ref: Type.Ref('Ref') }

function listAndPublish(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  const { store, config } = deps
  const many = { description: 'Publicaciones', entry: Type.Ref('Publicaciones'), ref: Type.Ref('PublicacionesRef') }
  app.get<OfAgencia & { Querystring: PublicacionesQuery }>(
    '/publicaciones/:adminMail',
    {
      schema: {
        tags,
        operationId: 'listarPublicaciones',
        summary: 'Lo que la app publica de una agencia, lo más nuevo primero',
        params: AdminMailParams,
        querystring: PublicacionesQuery,
        response: reads(media, many, [400, 404]),
      },
      config: { caching },
    },
    async (request) => {
      const { caller, query } = request
      const agencia = await agenciaOf(deps, request)
      const page = await listPublicaciones(store, caller, agencia, query)
      return print(publicacionesPage(agencia.adminMail, query, page, formOf(request), config.timeZone))
    },
  )

  app.post<OfAgencia & { Body: PublicacionCreate }>(
    '/publicaciones/:adminMail',
    {
      bodyLimit: 512 * KIB,
      schema: {
        tags,
        operationId: 'publicar',
        summary: 'Publicar un auto de una agencia',
        description:
          'Los valores de catálogo se envían como los tenga la app: lo que no se reconoce se rechaza con candidatos. Un modelo o una versión que el catálogo no tiene quedan como texto.',
        params: AdminMailParams,
        body: Type.Ref('PublicacionCreate'),
        response: answers(media, one, [400, 404, 409, 413, 415], 201),
      },
      config: { caching },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const made = await publish(deps, caller, params.adminMail, body)
      const printed = printOne(request, made, deps)
      // The validator of what was made (RFC 9110, 15.3.2); an edit is not kept as it was sent, so its answer has none (9.3.4).
      reply.header('etag', etagOf(printed))
      reply.code(201).header('location', publicacionHref(made.agencia.adminMail, made.publicacion.externalId))
      return printed
    },
  )
}

function onePublicacion(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  app.get<OfPublicacion>(
    '/publicaciones/:adminMail/:externalid',
    {
      schema: {
        tags,
        operationId: 'verPublicacion',
        summary: 'Una publicación de la app',
        description: 'La que vive con ese ExternalId o, si no hay, la última que se archivó.',
        params: PublicacionParams,
        response: reads(media, one, [400, 404]),
      },
      config: { caching },
    },
    async (request) => {
      const { caller, params } = request
      const agencia = await agenciaOf(deps, request)
      const publicacion = await findPublicacion(deps.store, caller, agencia.id, params.externalid)
      if (!publicacion) throw notFound(NO_SUCH_PUBLICACION)
      return printOne(request, { agencia, publicacion }, deps)
    },
  )

  app.put<OfPublicacion & { Body: PublicacionEdit }>(
    '/publicaciones/:adminMail/:externalid',
    {
      bodyLimit: 512 * KIB,
      schema: {
        tags,
        operationId: 'editarPublicacion',
        summary: 'Reemplazar lo que dice una publicación',
        description: 'El auto no cambia: ni ExternalId, ni Marca, ni Modelo, ni Version.',
        params: PublicacionParams,
        body: Type.Ref('PublicacionEdit'),
        response: answers(media, one, [400, 403, 404, 412, 413, 415]),
      },
      config: { caching },
    },
    async (request) => {
      const { caller, params, body, headers } = request
      return printOne(request, await edit(deps, caller, params, body, headers['if-match']), deps)
    },
  )

  app.delete<OfPublicacion>(
    '/publicaciones/:adminMail/:externalid',
    {
      schema: {
        tags,
        operationId: 'archivarPublicacion',
        summary: 'Archivar una publicación',
        description: 'Es definitivo, libera su lugar del paquete, y el ExternalId queda libre.',
        params: PublicacionParams,
        response: acts(204, 'Archivada', [400, 404]),
      },
    },
    async ({ caller, params }, reply) => {
      await archive(deps, caller, params)
      return reply.code(204).send()
    },
  )
}

/** The agency, if it exists for the app that asks. */
async function agenciaOf(
  { store }: PublicacionesDeps,
  { caller, params }: FastifyRequest<OfAgencia>,
): Promise<AgenciaOfApp> {
  const agencia = await findAgencia(store, caller, params.adminMail)
  if (!agencia) throw notFound(NO_SUCH_AGENCIA)
  return agencia
}

function printOne(
  request: { negotiated: string },
  { agencia: { adminMail }, publicacion }: Edited,
  { config }: PublicacionesDeps,
): string {
  if (formOf(request) === 'ref') return print(publicacionRef(publicacion, adminMail))
  return print(publicacionEntry(publicacion, adminMail, config.timeZone))
}

const print = (value: object): string => JSON.stringify(value)
