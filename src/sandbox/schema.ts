import Type, { type Static } from 'typebox'
import { AdminMail } from '../resources/agencias/schema.ts'

const MOST_AT_ONCE = 50

export const PruebaConsultas = Type.Object(
  {
    AdminMail: Type.Optional(AdminMail),
    ExternalId: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 255,
        description: 'De esa agencia; si falta, cualquiera',
        examples: ['A1001'],
      }),
    ),
    Cantidad: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_AT_ONCE, default: 1, description: 'Cuántas personas preguntan' }),
    ),
  },
  { $id: 'PruebaConsultas', description: 'Todo puede faltar', additionalProperties: false },
)
export type InquiriesWanted = Static<typeof PruebaConsultas>

const ConsultasGeneradas = Type.Object(
  { _links: Type.Ref('Links'), _entries: Type.Array(Type.Ref('Ref')) },
  { $id: 'ConsultasGeneradas' },
)

export const SCHEMAS = [PruebaConsultas, ConsultasGeneradas]
