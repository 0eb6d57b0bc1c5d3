import Type from 'typebox'
import { listOf, OwnValue, Part } from '../../http/schemas.ts'

export const Marca = Type.Object(
  {
    Nombre: Type.String({ examples: ['Abarth'] }),
    Codenames: Type.Array(Type.String({ examples: ['abarth'] })),
    Modelos: Type.Object({ _links: Type.Ref('Links') }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Marca' },
)

export const Marcas = listOf('Marcas', 'Marca')
export const MarcasRef = listOf('MarcasRef', 'Ref')

export const MarcasQuery = Type.Object({
  q: Type.Optional(Part('Parte del nombre o de un codename')),
  soloMercadoNuevos: Type.Optional(
    Type.Boolean({ default: false, description: 'Solo las marcas que hoy se venden nuevas' }),
  ),
})

export const BestmatchQuery = Type.Object({
  make: OwnValue('Id, URL, ruta, nombre, codename o cualquier forma de escribir la marca', 'VW'),
})
