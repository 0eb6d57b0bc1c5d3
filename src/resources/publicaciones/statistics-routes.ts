import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Media } from '../../http/media.ts'
import { readPeriod } from '../../http/period.ts'
import { invalid, notFound } from '../../http/problems.ts'
import { reads } from '../../http/responses.ts'
import { findAgencia } from '../agencias/store.ts'
import type { PublicacionesDeps } from './deps.ts'
import { NO_SUCH_AGENCIA, NO_SUCH_PUBLICACION } from './opening.ts'
import { estadisticasEntry } from './represent.ts'
import { EstadisticasQuery, PublicacionEstadisticas, PublicacionParams } from './schema.ts'
import { statisticsOf } from './statistics.ts'
import { findPublicacion } from './store.ts'

interface OfPublicacion {
  Params: { adminMail: string; externalid: string }
  Querystring: EstadisticasQuery
}

/** GET /v3/publicaciones/{adminMail}/{externalid}/estadisticas */
export function statisticsRoutes(app: FastifyInstance, media: Media, deps: PublicacionesDeps): void {
  const { store, clock, config } = deps
  app.addSchema(PublicacionEstadisticas)
  app.get<OfPublicacion>(
    '/publicaciones/:adminMail/:externalid/estadisticas',
    {
      schema: {
        tags: ['Publicaciones'],
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
      config: { caching: 'no-store' },
    },
    async ({ caller, params, query }) => {
      const agencia = await findAgencia(store, caller, params.adminMail)
      if (!agencia) throw notFound(NO_SUCH_AGENCIA)
      const publicacion = await findPublicacion(store, caller, agencia.id, params.externalid)
      if (!publicacion) throw notFound(NO_SUCH_PUBLICACION)
      const period = readPeriod(query, clock(), config.timeZone)
      if ('errors' in period) throw invalid(period.errors)
      const days = await statisticsOf(store, publicacion, period, config.timeZone)
      return JSON.stringify(estadisticasEntry(publicacion, agencia.adminMail, query, days))
    },
  )
}
