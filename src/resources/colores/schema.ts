import Type from 'typebox'
import { listOf, OwnValue, Part } from '../../http/schemas.ts'

export const Color = Type.Object(
  {
    Nombre: Type.String({ examples: ['Blanco'] }),
    HtmlColor: Type.Union([Type.String({ pattern: '^#[0-9A-F]{6}$', examples: ['#FFFFFF'] }), Type.Null()]),
    _links: Type.Ref('Links'),
  },
  { $id: 'Color' },
)

export const Colores = listOf('Colores', 'Color')
export const ColoresRef = listOf('ColoresRef', 'Ref')

export const ColoresQuery = Type.Object({
  q: Type.Optional(Part('Parte del nombre')),
  nombre: Type.Optional(Part('Nombre completo')),
})

export const BestmatchQuery = Type.Object({
  color: OwnValue('Id, URL, ruta, nombre o cualquier forma de escribir el color', 'blanco perlado'),
})
