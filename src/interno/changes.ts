import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { apiRoutes } from '../http/api-routes.ts'
import { decodeCursor, feedLinks } from '../http/links.ts'
import type { Media } from '../http/responses.ts'
import { readAgencias } from '../resources/agencias/read.ts'
import { readAvisos } from '../resources/publicaciones/read.ts'
import { sucursalesOf } from '../resources/sucursales/store.ts'
import type { Sitio } from '../sitios/store.ts'
import type { Db } from '../store/db.ts'
import { type FeedPosition, feedEnd, START } from '../store/feed.ts'
import { agenciaEntry, avisoEntry } from './represent.ts'
import { CambiosQuery, SITIO } from './schema.ts'

const PER_PAGE = 100

interface Feed {
  name: 'avisos' | 'agencias'
  operationId: string
  summary: string
  schema: string
  read(modo: Sitio['modo'], after: FeedPosition): Promise<{ entries: object[]; end: FeedPosition }>
}

/** GET /interno/v1/avisos, /interno/v1/agencias: what changed, in the order of commits. */
export function changesRoutes(app: FastifyInstance, media: Media, db: Db, { timeZone }: Pick<Config, 'timeZone'>) {
  feedRoute(app, media, db, {
    name: 'avisos',
    operationId: 'listarCambiosDeAvisos',
    summary: 'Los avisos que cambiaron, como son ahora',
    schema: 'AvisosSitio',
    async read(modo, after) {
      const { rows, end } = await readAvisos(db, modo, after, PER_PAGE)
      return { entries: rows.map((row) => avisoEntry(row, timeZone)), end }
    },
  })
  feedRoute(app, media, db, {
    name: 'agencias',
    operationId: 'listarCambiosDeAgencias',
    summary: 'Las agencias que cambiaron, como son ahora',
    schema: 'AgenciasSitio',
    async read(modo, after) {
      const { rows, end } = await readAgencias(db, modo, after, PER_PAGE)
      const places = await sucursalesOf(
        db,
        rows.map(({ id }) => id),
      )
      return { entries: rows.map((row) => agenciaEntry(row, places.get(row.id) ?? [], timeZone)), end }
    },
  })
}

function feedRoute(app: FastifyInstance, media: Media, db: Db, feed: Feed): void {
  const { name, operationId, summary, schema, read } = feed
  const list = `/interno/v1/${name}`
  apiRoutes(app, media, SITIO)('GET', `/v1/${name}`, {
    operationId,
    summary,
    description:
      'Sin cursor, desde el principio. Guarde el enlace next y siga por él: lo que se confirma tarde no se saltea. Lo que cambia varias veces está una vez, en el lugar de su último cambio.',
    query: CambiosQuery,
    answer: { description: 'Lo que cambió', entry: schema },
    async handle({ sitio, query: { cursor } }) {
      if (cursor === 'fin') return { _links: feedLinks(list, cursor, await feedEnd(db)), _entries: [] }
      const { entries, end } = await read(sitio.modo, cursor === undefined ? START : decodeCursor(cursor))
      return { _links: feedLinks(list, cursor, end), _entries: entries }
    },
  })
}
