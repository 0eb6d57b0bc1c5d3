import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { ModelQuery } from '../../catalogue/match/vehicle-matcher.ts'
import { nameSearch } from '../../catalogue/text.ts'
import type { Marca, Modelo as ModeloRow } from '../../catalogue/vehicles.ts'
import { catalogueRoutes, type Matched, matched } from '../../http/catalogue-routes.ts'
import { type Links, link, withQuery } from '../../http/links.ts'
import { invalid } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { Id, OwnValue, Part } from '../../http/schemas.ts'
import { carroceriaRef } from '../carrocerias/carrocerias.ts'
import { marcaHref, marcaRef } from '../marcas/marcas.ts'

const Modelo = Type.Object(
  {
    Marca: Type.String({ examples: ['Toyota'] }),
    Nombre: Type.String({ examples: ['Etios'] }),
    Codename: Type.String({ description: 'Único dentro de la marca', examples: ['etios'] }),
    Carrocerias: Type.Array(Type.Ref('Ref'), { description: 'Las carrocerías con que existe' }),
    Versiones: Type.Object({ _links: Type.Ref('Links') }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Modelo' },
)

const ModelosQuery = Type.Object({
  marca: Type.Optional(Id),
  q: Type.Optional(Part('Parte del nombre, o de la marca y el nombre')),
  soloMercadoNuevos: Type.Optional(Type.Boolean({ description: 'Solo los que se venden nuevos' })),
})

const BestmatchQuery = Type.Object({
  make: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir la marca', 'VW'),
  model: OwnValue(
    'Id, URL, ruta, nombre o cualquier forma de escribir el modelo; puede traer la marca o la versión',
    'gol trend 1.6 5p',
  ),
  bodystyle: Type.Optional(
    OwnValue('La carrocería, para desempatar; si no se la entiende, no se la tiene en cuenta', 'hatchback'),
  ),
})

const LIST = '/v3/modelos'

export const modeloHref = ({ id }: ModeloRow) => `${LIST}/${id}`

const modeloEntry = (modelo: ModeloRow) => ({
  Marca: modelo.marca.nombre,
  Nombre: modelo.nombre,
  Codename: modelo.codename,
  Carrocerias: modelo.carrocerias.map(carroceriaRef),
  Versiones: { _links: { self: link(`/v3/versiones?modelo=${modelo.id}`) } },
  _links: {
    self: link(modeloHref(modelo)),
    marca: link(marcaHref(modelo.marca)),
    modelos: link(withQuery(LIST, { marca: modelo.marca.id })),
  },
})

export const modeloRef = (modelo: ModeloRow) => ({
  href: modeloHref(modelo),
  title: `${modelo.marca.nombre} ${modelo.nombre}`,
})

const modelosLinks = (query: {
  marca?: number | undefined
  q?: string | undefined
  soloMercadoNuevos?: true | undefined
}): Links => ({
  self: link(withQuery(LIST, query)),
  buscar: link(`${LIST}?marca={marca}&q={q}&soloMercadoNuevos={soloMercadoNuevos}`),
  bestmatch: link(`${LIST}/bestmatch?make={make}&model={model}&bodystyle={bodystyle}`),
  marcas: link('/v3/marcas'),
})

/** GET /v3/modelos, /v3/modelos/bestmatch, /v3/modelos/{id} */
export function modelosRoutes(
  app: FastifyInstance,
  media: Media,
  { modelos, marcas }: Pick<Catalogue, 'modelos' | 'marcas'>,
  matcher: Matcher,
): void {
  const search = nameSearch(modelos, ({ marca, nombre, codename }) => [`${marca.nombre} ${nombre}`, codename])
  const ofMake = new Map(marcas.map((marca) => [marca.id, modelos.filter((modelo) => modelo.marca === marca)]))

  catalogueRoutes(app, media, {
    segment: 'modelos',
    tag: 'Modelos',
    one: 'Modelo',
    list: 'Modelos',
    called: 'el modelo',
    schema: Modelo,
    rows: modelos,
    represent: { entry: modeloEntry, ref: modeloRef },
    query: ModelosQuery,
    select: ({ marca, q, soloMercadoNuevos }) => {
      const there = marca === undefined ? modelos : ofMake.get(marca)
      if (!there) throw invalid({ marca: ['No existe esa marca: vea /v3/marcas.'] })
      const links = () => modelosLinks({ marca, q, soloMercadoNuevos: soloMercadoNuevos || undefined })
      const rows = soloMercadoNuevos ? there.filter(({ nuevo }) => nuevo) : there
      if (q !== undefined) return { links, rows: search(q, rows) }
      return { name: `${marca ?? 'todos'}${soloMercadoNuevos ? ' nuevos' : ''}`, links, rows }
    },
    bestmatch: { query: BestmatchQuery, match: (query) => matchModel(matcher, query) },
  })
}

/** A make that is not understood is answered with makes that came near, a model with models. */
function matchModel(matcher: Matcher, query: ModelQuery): Matched<ModeloRow> {
  const result = matcher.model(query)
  return result.kind === 'none' && result.parameter === 'make'
    ? matched<ModeloRow, Marca>(result, marcaRef)
    : matched(result, modeloRef)
}
