import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { KIB } from '../../http/body.ts'
import { formOf } from '../../http/catalogue-routes.ts'
import { readPeriod } from '../../http/dates.ts'
import { etagOf } from '../../http/encoded-body.ts'
import { link, PER_PAGE, pageLinks, segment } from '../../http/links.ts'
import { invalid, notFound } from '../../http/problems.ts'
import { acts, answers, type Media, reads } from '../../http/responses.ts'
import { requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { loteRoutes } from './lote/routes.ts'
import { NO_SUCH_PUBLICACION, type PublicacionesDeps } from './package.ts'
import {
  type Publicacion,
  publicacionEntry,
  publicacionesHref,
  publicacionHref,
  publicacionRef,
} from './publicacion.ts'
import { archive, edit, type ListingPath, type Published, publish } from './publish.ts'
import { findPublicacion, listPublicaciones } from './read.ts'
import {
  type PublicacionCreate,
  type PublicacionEdit,
  PublicacionesQuery,
  PublicacionParams,
  SCHEMAS,
} from './schema.ts'
import { EstadisticasQuery, estadisticasEntry, PublicacionEstadisticas, statisticsOf } from './statistics.ts'

interface OfAgencia {
  Params: { adminMail: string }
}
interface OfPublicacion {
  Params: ListingPath
}

const tags = ['Publicaciones']
const caching = 'no-store' as const

/** /v3/publicaciones/{adminMail}, …/{externalid}, …/{externalid}/estadisticas, …/lote */
export function publicacionesRoutes(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  listAndPublish(app, media, deps)
  loteRoutes(app, media, deps)
  onePublicacion(app, media, deps)
  statistics(app, media, deps)
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
      const agencia = await requireAgencia(deps.store, request.caller, request.params.adminMail)
      const { total, rows } = await listPublicaciones(store, caller, agencia, query)
      const { adminMail } = agencia
      return serialize({
        ...pageMembers(adminMail, query, total),
        _entries: rows.map((row) => represent(request, row, adminMail, config.timeZone)),
      })
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
      const { caller, params } = request
      const made = await publish(deps, caller, params.adminMail, request.body)
      const body = serializeOne(request, made, deps)
      // RFC 9110, 15.3.2. An edit has none because it is not stored as it was sent (9.3.4).
      reply.header('etag', etagOf(body))
      reply.code(201).header('location', publicacionHref(made.agencia.adminMail, made.publicacion.externalId))
      return body
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
      return serializeOne(request, await find(deps, request), deps)
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
      return serializeOne(request, await edit(deps, caller, params, body, headers['if-match']), deps)
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

function statistics(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  const { store, clock, config } = deps
  app.addSchema(PublicacionEstadisticas)
  app.get<OfPublicacion & { Querystring: EstadisticasQuery }>(
    '/publicaciones/:adminMail/:externalid/estadisticas',
    {
      schema: {
        tags,
        operationId: 'verEstadisticasDePublicacion',
        summary: 'Cuánto se vio y se consultó una publicación, día por día',
        params: PublicacionParams,
        querystring: EstadisticasQuery,
        response: reads(
          media,
          { description: 'Las estadísticas', entry: Type.Ref('PublicacionEstadisticas') },
          [400, 404],
        ),
      },
      config: { caching },
    },
    async (request) => {
      const { query } = request
      const { agencia, publicacion } = await find(deps, request)
      const period = readPeriod(query, clock(), config.timeZone)
      if ('errors' in period) throw invalid(period.errors)
      const days = await statisticsOf(store, publicacion, period, config.timeZone)
      return serialize(estadisticasEntry(publicacion, agencia.adminMail, query, days))
    },
  )
}

async function find(deps: PublicacionesDeps, request: FastifyRequest<OfPublicacion>): Promise<Published> {
  const agencia = await requireAgencia(deps.store, request.caller, request.params.adminMail)
  const publicacion = await findPublicacion(deps.store, request.caller, agencia.id, request.params.externalid)
  if (!publicacion) throw notFound(NO_SUCH_PUBLICACION)
  return { agencia, publicacion }
}

const serialize = (value: object): string => JSON.stringify(value)

const represent = (request: { negotiated: string }, row: Publicacion, adminMail: string, timeZone: string): object =>
  formOf(request) === 'ref' ? publicacionRef(row, adminMail) : publicacionEntry(row, { adminMail, timeZone })

const serializeOne = (
  request: { negotiated: string },
  { agencia: { adminMail }, publicacion }: Published,
  { config }: PublicacionesDeps,
): string => serialize(represent(request, publicacion, adminMail, config.timeZone))

/** The members of a page beside its entries. */
function pageMembers(adminMail: string, query: PublicacionesQuery, total: number) {
  const list = publicacionesHref(adminMail)
  return {
    Pagina: query.pagina ?? 1,
    Total: total,
    PerPagina: PER_PAGE,
    _links: {
      ...pageLinks({ list, query, total }),
      buscar: link(`${list}?operador={operador}&estado={estado}&q={q}&pagina={pagina}`),
      publicacion: link(`${list}/{externalid}`),
      publicar: link(list, 'POST'),
      lote: link(`${list}/lote?modo={modo}&simular={simular}&confirmar={confirmar}`, 'POST'),
      agencia: link(`/v3/agencias/${segment(adminMail)}`),
    },
  }
}
