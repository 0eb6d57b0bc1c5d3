import Type from 'typebox'
import { listOf } from '../../http/schemas.ts'

export const Color = Type.Object(
  {
    Nombre: Type.String(),
    HtmlColor: Type.Union([Type.String({ pattern: '^#[0-9A-F]{6}$' }), Type.Null()]),
    _links: Type.Ref('Links'),
  },
  { $id: 'Color' },
)

export const Colores = listOf('Colores', 'Color')
export const ColoresRef = listOf('ColoresRef', 'Ref')

export const ColoresQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100, description: 'Parte del nombre' })),
  nombre: Type.Optional(Type.String({ maxLength: 100, description: 'Nombre completo' })),
})
