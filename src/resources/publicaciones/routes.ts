import type { FastifyInstance } from 'fastify'
import type { App } from '../../apps/app.ts'
import { apiRoutes } from '../../http/api-routes.ts'
import { KIB } from '../../http/body.ts'
import { readPeriod } from '../../http/dates.ts'
import { etagOf } from '../../http/encoded-body.ts'
import { link, PER_PAGE, pageLinks, segment } from '../../http/links.ts'
import { representationOf } from '../../http/negotiation.ts'
import { invalid, notFound } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { findFrom } from '../../store/replicas.ts'
import { requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { loteRoutes } from './lote/routes.ts'
import { NO_SUCH_PUBLICACION, type PublicacionesDeps } from './paquete.ts'
import {
  type Publicacion,
  publicacionEntry,
  publicacionesHref,
  publicacionHref,
  publicacionRef,
} from './publicacion.ts'
import { archive, edit, type PublicacionPath, type Published, publish } from './publish.ts'
import { findPublicacion, listPublicaciones } from './read.ts'
import { PublicacionCreate, PublicacionEdit, PublicacionesQuery, PublicacionParams, SCHEMAS } from './schema.ts'
import { EstadisticasQuery, estadisticasEntry, PublicacionEstadisticas, statisticsOf } from './statistics.ts'

/** /v3/publicaciones/{adminMail}, …/{externalid}, …/{externalid}/estadisticas, …/lote */
export function publicacionesRoutes(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  const { store, clock, config } = deps
  const route = apiRoutes(app, media, { tags: ['Publicaciones'] }, SCHEMAS)
  const one = { description: 'La publicación', entry: 'Publicacion', ref: 'PublicacionRef' }

  const represent = (request: { negotiated: string }, row: Publicacion, adminMail: string): object =>
    representationOf(request) === 'ref'
      ? publicacionRef(row, adminMail)
      : publicacionEntry(row, { adminMail, timeZone: config.timeZone })

  const find = async (caller: App, { adminMail, externalid }: PublicacionPath): Promise<Published> => {
    const agencia = await requireAgencia(store, caller, adminMail)
    const publicacion = await findFrom(store, `app:${caller.id}`, (db) =>
      findPublicacion(db, caller, agencia.id, externalid),
    )
    if (!publicacion) throw notFound(NO_SUCH_PUBLICACION)
    return { agencia, publicacion }
  }

  route('GET', '/publicaciones/:adminMail', {
    operationId: 'listarPublicaciones',
    summary: 'Lo que la app publica de una agencia, lo más nuevo primero',
    description: 'De a 25 por página. Las archivadas solo están si se piden con estado.',
    params: AdminMailParams,
    query: PublicacionesQuery,
    response: { description: 'Publicaciones', entry: 'Publicaciones', ref: 'PublicacionesRef' },
    refuses: [404],
    async handle(request) {
      const { caller, params, query } = request
      const agencia = await requireAgencia(store, caller, params.adminMail)
      const db = await store.reader(`app:${caller.id}`)
      const { total, rows } = await listPublicaciones(db, caller, agencia, query)
      const entries = rows.map((row) => represent(request, row, agencia.adminMail))
      return { ...pageMembers(agencia.adminMail, query, total), _entries: entries }
    },
  })

  route('POST', '/publicaciones/:adminMail', {
    operationId: 'publicar',
    summary: 'Publicar un auto de una agencia',
    description:
      'Los valores de catálogo se envían como los tenga la app: lo que no se reconoce se rechaza con candidatos. Un modelo o una versión que el catálogo no tiene quedan como texto.',
    params: AdminMailParams,
    body: PublicacionCreate,
    bodyLimit: 512 * KIB,
    response: { ...one, status: 201, etag: true },
    refuses: [404, 409],
    async handle(request, reply) {
      const { agencia, publicacion } = await publish(deps, request.caller, request.params.adminMail, request.body)
      const body = JSON.stringify(represent(request, publicacion, agencia.adminMail))
      // RFC 9110, 15.3.2. An edit has none because it is not stored as it was sent (9.3.4).
      reply.header('etag', etagOf(body)).header('location', publicacionHref(agencia.adminMail, publicacion.externalId))
      return body
    },
  })

  loteRoutes(app, media, deps)
  app.addSchema(PublicacionEstadisticas)

  route('GET', '/publicaciones/:adminMail/:externalid', {
    operationId: 'verPublicacion',
    summary: 'Una publicación de la app',
    description: 'La vigente con ese ExternalId o, si no hay, la última que se archivó.',
    params: PublicacionParams,
    response: one,
    refuses: [404],
    async handle(request) {
      const { agencia, publicacion } = await find(request.caller, request.params)
      return represent(request, publicacion, agencia.adminMail)
    },
  })

  route('PUT', '/publicaciones/:adminMail/:externalid', {
    operationId: 'editarPublicacion',
    summary: 'Reemplazar lo que dice una publicación',
    description: 'El auto no cambia: ni ExternalId, ni Marca, ni Modelo, ni Version.',
    params: PublicacionParams,
    body: PublicacionEdit,
    bodyLimit: 512 * KIB,
    response: one,
    refuses: [403, 404, 412],
    async handle(request) {
      const { caller, params, body, headers } = request
      const { agencia, publicacion } = await edit(deps, caller, params, body, headers['if-match'])
      return represent(request, publicacion, agencia.adminMail)
    },
  })

  route('DELETE', '/publicaciones/:adminMail/:externalid', {
    operationId: 'archivarPublicacion',
    summary: 'Archivar una publicación',
    description: 'Es definitivo, libera su lugar del paquete, y el ExternalId queda libre.',
    params: PublicacionParams,
    response: { description: 'Archivada' },
    refuses: [404],
    handle: ({ caller, params }) => archive(deps, caller, params),
  })

  route('GET', '/publicaciones/:adminMail/:externalid/estadisticas', {
    operationId: 'verEstadisticasDePublicacion',
    summary: 'Cuánto se vio y se consultó una publicación, día por día',
    description: 'Un elemento por día, también los días sin visitas ni consultas.',
    params: PublicacionParams,
    query: EstadisticasQuery,
    response: { description: 'Las estadísticas', entry: 'PublicacionEstadisticas' },
    refuses: [404],
    async handle({ caller, params, query }) {
      const { agencia, publicacion } = await find(caller, params)
      const period = readPeriod(query, clock(), config.timeZone)
      if ('errors' in period) throw invalid(period.errors)
      const db = await store.reader(`app:${caller.id}`)
      const days = await statisticsOf(db, publicacion, period, config.timeZone)
      return estadisticasEntry(publicacion, agencia.adminMail, query, days)
    },
  })
}

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
