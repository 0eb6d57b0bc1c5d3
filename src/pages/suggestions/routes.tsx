import type { FastifyInstance } from 'fastify'
import { renderToString } from 'preact-render-to-string'
import { MAX_PLACE_CHARACTERS } from '../../resources/agencias/place.ts'
import { HIDDEN } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'
import { citySuggester } from './cities.ts'
import { CityOptions } from './options.tsx'

/** GET /sugerencias/ciudades?Region=&Ciudad=, named like the fields whose values a page sends as one types. */
export function suggestionsRoutes(app: FastifyInstance, { catalogue, matcher }: PageDeps): void {
  const suggest = citySuggester(catalogue, matcher)
  app.get<{ Querystring: { Region?: string; Ciudad?: string } }>('/sugerencias/ciudades', HIDDEN, (request, reply) => {
    const { Region = '', Ciudad = '' } = request.query
    const [region, typed] = [String(Region), String(Ciudad)]
    const isLong = region.length > MAX_PLACE_CHARACTERS || typed.length > MAX_PLACE_CHARACTERS
    const cities = isLong ? [] : suggest(region, typed)
    return reply.type('text/html; charset=utf-8').send(renderToString(<CityOptions cities={cities} />))
  })
}
