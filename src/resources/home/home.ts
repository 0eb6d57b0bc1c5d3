import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { apiRoutes } from '../../http/api-routes.ts'
import { link } from '../../http/links.ts'
import type { Media } from '../../http/responses.ts'

const EntryPoints = Type.Object({ _links: Type.Ref('Links') }, { $id: 'EntryPoints' })

/** The entry points, from which every resource can be reached, by relation: `/v3/marcas`, or `POST /v3/agencias`. */
const HREFS: Record<string, string> = JSON.parse(readFileSync(new URL('./entry-points.json', import.meta.url), 'utf8'))

const LINKS = Object.entries(HREFS).map(([rel, text]) => {
  const [href = '', method] = text.split(' ').reverse()
  return [rel, link(href, method)]
})

/** GET /v3 */
export function homeRoutes(app: FastifyInstance, media: Media): void {
  const home = Buffer.from(JSON.stringify({ _links: Object.fromEntries(LINKS) }))
  apiRoutes(app, media, { tags: ['Home'] }, [EntryPoints])('GET', '', {
    operationId: 'verPuntosDeEntrada',
    summary: 'Puntos de entrada',
    description:
      'Desde aquí se llega a todo siguiendo enlaces, sin armar direcciones. Los que llevan parámetros son plantillas.',
    response: { description: 'Puntos de entrada', entry: 'EntryPoints' },
    caching: 'private, no-cache',
    handle: () => home,
  })
}
