import Type from 'typebox'
import { Id, listOf, OwnValue, Part } from '../../http/schemas.ts'

export const Ciudad = Type.Object(
  {
    Nombre: Type.String({ examples: ['Zárate'] }),
    Region: Type.String({ examples: ['Buenos Aires'] }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Ciudad' },
)

export const Ciudades = listOf('Ciudades', 'Ciudad')
export const CiudadesRef = listOf('CiudadesRef', 'Ref')

export const CiudadesQuery = Type.Object({
  region: Type.Optional(Id),
  q: Type.Optional(Part('Parte del nombre; puede faltar si se da region')),
})

export const BestmatchQuery = Type.Object({
  state: OwnValue('Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región', 'Bs. As.'),
  city: OwnValue('Id, URL, ruta, nombre, parte del nombre o cualquier forma de escribir la ciudad', 'zarate'),
})
