import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue, Ciudad as CiudadRow, Region } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/text.ts'
import { catalogueRoutes, type Matched, matched, refIn } from '../../http/catalogue-routes.ts'
import { link } from '../../http/links.ts'
import { fault, invalid } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { idOf, OwnValue, TextFilter } from '../../http/schemas.ts'
import { regionRef } from '../regiones/regiones.ts'

const Ciudad = Type.Object(
  {
    Nombre: Type.String({ examples: ['Zárate'] }),
    Region: Type.String({ examples: ['Buenos Aires'] }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Ciudad' },
)

const ciudadRef = refIn<CiudadRow>('ciudades', ({ nombre, region }) => `${nombre} (${region.nombre})`)

/** GET /v3/ciudades, /v3/ciudades/bestmatch, /v3/ciudades/{id} */
export function ciudadesRoutes(
  app: FastifyInstance,
  media: Media,
  { ciudades, regiones }: Catalogue,
  matcher: Matcher,
): void {
  const search = nameSearch(ciudades, ({ nombre }) => [nombre])
  const byRegion = new Map(regiones.map((region) => [region.id, ciudades.filter((ciudad) => ciudad.region === region)]))

  catalogueRoutes(app, media, {
    segment: 'ciudades',
    title: 'Ciudades',
    called: 'la ciudad',
    schema: Ciudad,
    rows: ciudades,
    ref: ciudadRef,
    entry: ({ nombre, region }) => ({ Nombre: nombre, Region: region.nombre }),
    linksOf: ({ region }) => ({ region: link(regionRef(region).href) }),
    query: Type.Object({
      region: Type.Optional(idOf('Id de la región; puede faltar si se da q')),
      q: Type.Optional(TextFilter('Parte del nombre; puede faltar si se da region')),
    }),
    bestmatchQuery: Type.Object({
      state: OwnValue('Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región', 'Bs. As.'),
      city: OwnValue('Id, URL, ruta, nombre, parte del nombre o cualquier forma de escribir la ciudad', 'zarate'),
    }),
    list({ region, q }) {
      if (region === undefined && !q?.trim()) throw invalid({ region: [ONE_IS_NEEDED], q: [ONE_IS_NEEDED] })
      const inRegion = region === undefined ? ciudades : byRegion.get(region)
      if (!inRegion) throw invalid({ region: [fault('inexistente', 'No existe esa región: vea /v3/regiones.')] })
      // Not cached with any q, even a blank one: the bytes have the link to this request.
      return q === undefined ? { name: `region ${region}`, rows: inRegion } : { rows: search(q, inRegion) }
    },
    listLinks: () => ({ regiones: link('/v3/regiones') }),
    bestmatch: (query) => matchCity(matcher, query),
  })
}

const ONE_IS_NEEDED = fault('requerido', 'Indique region, q o ambos.')

/** A state that is not understood is answered with regions that came near, a city with cities. */
export function matchCity(matcher: Matcher, query: { state: string; city: string }): Matched<CiudadRow> {
  const result = matcher.city(query)
  return result.kind === 'none' && result.parameter === 'state'
    ? matched<CiudadRow, Region>(result, regionRef)
    : matched(result, ciudadRef)
}
