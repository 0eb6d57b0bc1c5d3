import type { FastifyInstance } from 'fastify'
import { renderToString } from 'preact-render-to-string'
import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { fold, nameSearch } from '../../catalogue/text.ts'
import { MAX_PLACE_CHARACTERS } from '../../resources/agencias/place.ts'
import { HIDDEN } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'

/** GET /sugerencias/ciudades?Region=&Ciudad=: cities for a form, while the person types. */
export function suggestionsRoutes(app: FastifyInstance, { catalogue, matcher }: PageDeps): void {
  const suggest = citySuggester(catalogue.ciudades, matcher)
  app.get<{ Querystring: { Region?: string; Ciudad?: string } }>('/sugerencias/ciudades', HIDDEN, (request, reply) => {
    const { Region = '', Ciudad = '' } = request.query
    const region = String(Region)
    const typed = String(Ciudad)
    const isLong = region.length > MAX_PLACE_CHARACTERS || typed.length > MAX_PLACE_CHARACTERS
    const cities = isLong ? [] : suggest(region, typed)
    return reply.type('text/html; charset=utf-8').send(renderToString(<CityOptions cities={cities} />))
  })
}

/** Browsers compare what is typed letter by letter, so a name with accents is labelled without them. */
export const CityOptions = ({ cities }: { cities: readonly Ciudad[] }) => (
  <>
    {cities.map((city) => (
      <option key={city.id} value={city.nombre}>
        {labelOf(city)}
      </option>
    ))}
  </>
)

function labelOf({ nombre, departamento, region }: Ciudad): string {
  const plain = fold(nombre) === nombre.toLowerCase() ? [] : [fold(nombre)]
  const place = departamento && departamento !== nombre ? departamento : region.nombre
  return [...plain, place].join(' · ')
}

const MAX_TYPED = 12
const MAX_OFFERED = 60
const MIN_LETTERS_ANYWHERE = 2

/** The cities that match the region and the typed text, the likeliest first. */
type SuggestCities = (region: string, typed: string) => Ciudad[]

export function citySuggester(ciudades: Catalogue['ciudades'], matcher: Matcher): SuggestCities {
  const search = nameSearch(ciudades, ({ nombre, aliases }) => [nombre, ...aliases])
  return (region, typed) => {
    const found = region ? matcher.region(region) : undefined
    const among = found?.kind === 'match' ? ciudades.filter((city) => city.region === found.entry) : ciudades
    if (among === ciudades && typed.trim().length < MIN_LETTERS_ANYWHERE) return []
    const part = fold(typed.trim())
    return search(typed, among)
      .map((city) => ({ city, begins: Number(fold(city.nombre).startsWith(part)) }))
      .sort((a, b) => b.begins - a.begins || (b.city.poblacion ?? 0) - (a.city.poblacion ?? 0))
      .slice(0, part ? MAX_TYPED : MAX_OFFERED)
      .map(({ city }) => city)
  }
}
