import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Ciudad as CiudadRow, Region } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/text.ts'
import { catalogueRoutes, type Matched, matched } from '../../http/catalogue-routes.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { invalid } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { Id, OwnValue, Part } from '../../http/schemas.ts'
import { regionHref, regionRef } from '../regiones/regiones.ts'

const Ciudad = Type.Object(
  {
    Nombre: Type.String({ examples: ['Zárate'] }),
    Region: Type.String({ examples: ['Buenos Aires'] }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Ciudad' },
)

const CiudadesQuery = Type.Object({
  region: Type.Optional(Id),
  q: Type.Optional(Part('Parte del nombre; puede faltar si se da region')),
})

const BestmatchQuery = Type.Object({
  state: OwnValue('Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región', 'Bs. As.'),
  city: OwnValue('Id, URL, ruta, nombre, parte del nombre o cualquier forma de escribir la ciudad', 'zarate'),
})

const LIST = '/v3/ciudades'

const href = ({ id }: CiudadRow) => `${LIST}/${id}`

const ciudadEntry = (ciudad: CiudadRow) => ({
  Nombre: ciudad.nombre,
  Region: ciudad.region.nombre,
  _links: { self: link(href(ciudad)), region: link(regionHref(ciudad.region)) },
})

export const ciudadRef = (ciudad: CiudadRow) => ({
  href: href(ciudad),
  title: `${ciudad.nombre} (${ciudad.region.nombre})`,
})

const ciudadesLinks = (query: { region?: number | undefined; q?: string | undefined }): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?region={region}&q={q}`),
  bestmatch: link(`${LIST}/bestmatch?state={state}&city={city}`),
  regiones: link('/v3/regiones'),
})

/** GET /v3/ciudades, /v3/ciudades/bestmatch, /v3/ciudades/{id} */
export function ciudadesRoutes(
  app: FastifyInstance,
  media: Media,
  { ciudades, regiones }: { ciudades: readonly CiudadRow[]; regiones: readonly Region[] },
  matcher: Matcher,
): void {
  const search = nameSearch(ciudades, ({ nombre }) => [nombre])
  const byRegion = new Map(regiones.map((region) => [region.id, ciudades.filter((ciudad) => ciudad.region === region)]))

  catalogueRoutes(app, media, {
    segment: 'ciudades',
    tag: 'Ciudades',
    one: 'Ciudad',
    list: 'Ciudades',
    called: 'la ciudad',
    schema: Ciudad,
    rows: ciudades,
    represent: { entry: ciudadEntry, ref: ciudadRef },
    query: CiudadesQuery,
    select: ({ region, q }) => {
      const part = q?.trim() ? q : undefined
      if (region === undefined && part === undefined) throw invalid({ region: [ONE_IS_NEEDED], q: [ONE_IS_NEEDED] })
      const there = region === undefined ? ciudades : byRegion.get(region)
      if (!there) throw invalid({ region: ['No existe esa región: vea /v3/regiones.'] })
      const links = () => ciudadesLinks({ region, q })
      return part === undefined
        ? { name: `region ${region}`, links, rows: there }
        : { links, rows: search(part, there) }
    },
    bestmatch: { query: BestmatchQuery, match: (query) => matchCity(matcher, query) },
  })
}

const ONE_IS_NEEDED = 'Indique region, q o ambos.'

/** A state that is not understood is answered with regions that came near, a city with cities. */
function matchCity(matcher: Matcher, query: { state: string; city: string }): Matched<CiudadRow> {
  const result = matcher.city(query)
  return result.kind === 'none' && result.parameter === 'state'
    ? matched<CiudadRow, Region>(result, regionRef)
    : matched(result, ciudadRef)
}
