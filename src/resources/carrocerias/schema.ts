import Type from 'typebox'
import { listOf, OwnValue } from '../../http/schemas.ts'

export const Carroceria = Type.Object(
  {
    Nombre: Type.String({ examples: ['Sedán'] }),
    Codenames: Type.Array(Type.String({ examples: ['sedan'] })),
    _links: Type.Ref('Links'),
  },
  { $id: 'Carroceria' },
)

export const Carrocerias = listOf('Carrocerias', 'Carroceria')

export const CarroceriasQuery = Type.Object({})

export const BestmatchQuery = Type.Object({
  bodystyle: OwnValue('Id, URL, ruta, nombre, codename o cualquier forma de escribir la carrocería', 'Sedan 4 ptas'),
})
