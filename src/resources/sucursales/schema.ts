import Type, { type Static, type TSchema } from 'typebox'
import { Id, listOf } from '../../http/schemas.ts'
import { AdminMail } from '../agencias/schema.ts'
import { DIAS } from './hours.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const text = (maxLength: number, example: string, more: object = {}) =>
  Type.String({ maxLength, examples: [example], ...more })
const hora = (example: string) => Type.String({ format: 'hora', examples: [example] })

const MOST_SHIFTS = 4

const Turnos = Type.Array(
  Type.Object({ Desde: hora('09:00'), Hasta: hora('13:00') }, { additionalProperties: false }),
  { maxItems: MOST_SHIFTS },
)

const DIAS_ABIERTOS = Object.fromEntries(DIAS.map((dia) => [dia, optional(Turnos)]))

const MEMBERS = {
  Telefono: Type.String({ format: 'tel', minLength: 8, maxLength: 20, examples: ['011 4555-1234'] }),
  WhatsApp: text(20, '+5491145551234', { format: 'whatsapp' }),
  Email: text(254, 'temperley@agencia.example', { format: 'email' }),
  Region: text(200, 'Buenos Aires', { description: 'Como en regiones/bestmatch' }),
  Ciudad: text(200, 'Temperley', { description: 'Como en ciudades/bestmatch; necesita Region' }),
  Direccion: text(200, 'Av. Espora 1200'),
  CodigoPostal: text(20, 'B1834'),
  Horarios: Type.Object(DIAS_ABIERTOS, {
    additionalProperties: false,
    description: 'Los turnos de cada día, hasta 24:00; el día que falta está cerrado. null: no se informan',
  }),
}

const Nombre = text(120, 'Casa central', { minLength: 1 })
const each = (wrap: (schema: TSchema) => TSchema) =>
  Object.fromEntries(Object.entries(MEMBERS).map(([name, schema]) => [name, wrap(schema)]))

/** The whole of it: a member left out becomes null. */
export const SucursalUpsert = Type.Object(
  { Nombre, ...each(optional) },
  {
    $id: 'SucursalUpsert',
    description: 'Lo que falta queda en null. _links se acepta y se ignora: lo leído puede enviarse tal cual.',
    patternProperties: { '^_links$': {} },
    additionalProperties: false,
  },
)

export const Sucursal = Type.Object({ Nombre, ...each(nullable), _links: Type.Ref('Links') }, { $id: 'Sucursal' })

export const Sucursales = listOf('Sucursales', 'Sucursal')

export const SucursalParams = Type.Object({ adminMail: AdminMail, id: Id })

export const SCHEMAS: readonly TSchema[] = [SucursalUpsert, Sucursal, Sucursales]

type Members = { [Name in Exclude<keyof typeof MEMBERS, 'Horarios'>]?: string | null }
type Turno = { Desde: string; Hasta: string }
export interface SucursalUpsert extends Members {
  Nombre: Static<typeof Nombre>
  Horarios?: Partial<Record<(typeof DIAS)[number], Turno[] | null>> | null
}
