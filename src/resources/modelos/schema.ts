import Type from 'typebox'
import { Id, listOf, OwnValue, Part } from '../../http/schemas.ts'

export const Modelo = Type.Object(
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

export const Modelos = listOf('Modelos', 'Modelo')
export const ModelosRef = listOf('ModelosRef', 'Ref')

export const ModelosQuery = Type.Object({
  marca: Type.Optional(Id),
  q: Type.Optional(Part('Parte del nombre, o de la marca y el nombre')),
  soloMercadoNuevos: Type.Optional(Type.Boolean({ description: 'Solo los que se venden nuevos' })),
})

export const BestmatchQuery = Type.Object({
  make: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir la marca', 'VW'),
  model: OwnValue(
    'Id, URL, ruta, nombre o cualquier forma de escribir el modelo; puede traer la marca o la versión',
    'gol trend 1.6 5p',
  ),
  bodystyle: Type.Optional(
    OwnValue('La carrocería, para desempatar; si no se la entiende, no se la tiene en cuenta', 'hatchback'),
  ),
})
