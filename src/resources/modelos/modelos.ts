import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Catalogue } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/text.ts'
import type { Marca, Modelo as ModeloRow } from '../../catalogue/vehicles.ts'
import { catalogueRoutes, matched, refIn } from '../../http/catalogue-routes.ts'
import { link, withQuery } from '../../http/links.ts'
import { fault, invalid } from '../../http/problems.ts'
import type { Media } from '../../http/responses.ts'
import { idOf, OwnValue, TextFilter } from '../../http/schemas.ts'
import { carroceriaRef } from '../carrocerias/carrocerias.ts'
import { marcaRef } from '../marcas/marcas.ts'

const Modelo = Type.Object(
  {
    Marca: Type.String({ examples: ['Toyota'] }),
    Nombre: Type.String({ examples: ['Etios'] }),
    Codename: Type.String({ description: 'Único dentro de la marca', examples: ['etios'] }),
    Carrocerias: Type.Array(Type.Ref('CarroceriaRef'), { description: 'Las carrocerías en que se fabrica' }),
    Versiones: Type.Ref('Recurso'),
    _links: Type.Ref('Links'),
  },
  { $id: 'Modelo' },
)

export const modeloRef = refIn<ModeloRow>('modelos', ({ marca, nombre }) => `${marca.nombre} ${nombre}`)

/** GET /v3/modelos, /v3/modelos/bestmatch, /v3/modelos/{id} */
export function modelosRoutes(app: FastifyInstance, media: Media, { modelos, marcas }: Catalogue, matcher: Matcher) {
  const search = nameSearch(modelos, ({ marca, nombre, codename }) => [`${marca.nombre} ${nombre}`, codename])
  const ofMake = new Map(marcas.map(({ id }) => [id, [] as ModeloRow[]]))
  for (const modelo of modelos) ofMake.get(modelo.marca.id)?.push(modelo)

  catalogueRoutes(app, media, {
    segment: 'modelos',
    title: 'Modelos',
    called: 'el modelo',
    schema: Modelo,
    rows: modelos,
    ref: modeloRef,
    entry: ({ id, marca, nombre, codename, carrocerias }) => ({
      Marca: marca.nombre,
      Nombre: nombre,
      Codename: codename,
      Carrocerias: carrocerias.map(carroceriaRef),
      Versiones: { _links: { self: link(`/v3/versiones?modelo=${id}`) } },
    }),
    linksOf: ({ marca }) => ({
      marca: link(marcaRef(marca).href),
      modelos: link(withQuery('/v3/modelos', { marca: marca.id })),
    }),
    query: Type.Object({
      marca: Type.Optional(idOf('Id de la marca')),
      q: Type.Optional(TextFilter('Parte del nombre, o de la marca y el nombre')),
      soloMercadoNuevos: Type.Optional(Type.Boolean({ description: 'Solo los que se venden nuevos' })),
    }),
    bestmatchQuery: Type.Object({
      make: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir la marca', 'VW'),
      model: OwnValue(
        'Id, URL, ruta, nombre o cualquier forma de escribir el modelo; puede traer la marca o la versión',
        'gol trend 1.6 5p',
      ),
      bodystyle: Type.Optional(OwnValue('La carrocería, para desempatar; si no se entiende, se ignora', 'hatchback')),
    }),
    list({ marca, q, soloMercadoNuevos }) {
      const ofMarca = marca === undefined ? modelos : ofMake.get(marca)
      if (!ofMarca) throw invalid({ marca: [fault('inexistente', 'No existe esa marca: vea /v3/marcas.')] })
      const rows = soloMercadoNuevos ? ofMarca.filter(({ nuevo }) => nuevo) : ofMarca
      if (q !== undefined) return { rows: search(q, rows) }
      return { name: `${marca ?? 'todos'}${soloMercadoNuevos ? ' nuevos' : ''}`, rows }
    },
    listLinks: () => ({ marcas: link('/v3/marcas') }),
    bestmatch(query) {
      const result = matcher.model(query)
      // A make that is not understood is answered with makes that came near, a model with models.
      return result.kind === 'none' && result.parameter === 'make'
        ? matched<ModeloRow, Marca>(result, marcaRef)
        : matched(result, modeloRef)
    },
  })
}
