import Type from 'typebox'
import { listOf, OwnValue } from '../../http/schemas.ts'

export const Region = Type.Object(
  {
    Nombre: Type.String({ examples: ['Ciudad Autónoma de Buenos Aires'] }),
    Iso: Type.String({ description: 'Código ISO 3166-2', examples: ['AR-C'] }),
    Ciudades: Type.Object({ _links: Type.Ref('Links') }),
    _links: Type.Ref('Links'),
  },
  { $id: 'Region' },
)

export const Regiones = listOf('Regiones', 'Region')
export const RegionesRef = listOf('RegionesRef', 'Ref')

export const RegionesQuery = Type.Object({})

export const BestmatchQuery = Type.Object({
  state: OwnValue('Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región', 'Capital Federal'),
})
