import Type, { type Static, type TSchema } from 'typebox'
import { LAST_PAGE } from '../../http/paging.ts'
import { OperadorMail, Part } from '../../http/schemas.ts'
import { AdminMail } from '../agencias/schema.ts'
import { DETAILS, ExternalId, VEHICLE } from './create-schema.ts'
import { ESTADOS, EXPOSICIONES, SUSPENSIONES } from './publicacion.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-03-04T09:15:27.031-03:00'] })
const count = (value: number, more: object = {}) => Type.Integer({ examples: [value], ...more })

const { Exposicion, OperadorResponsable, Fotos, DatosTecnicosCustom, RefStock, ...rest } = DETAILS
const car = Object.fromEntries(Object.entries(rest).map(([name, schema]) => [name, nullable(schema)]))

export const Publicacion = Type.Object(
  {
    Aviso: count(100_231, { description: 'El número público del aviso' }),
    ExternalId,
    RefStock: nullable(RefStock),
    Estado: Type.Enum([...ESTADOS]),
    Activa: Type.Boolean({ description: 'Si se muestra' }),
    Suspension: nullable(
      Type.Object({
        Por: Type.Enum([...SUSPENSIONES], {
          description: 'Lo que suspendió el mercado o la agencia, solo ellos lo reactivan',
        }),
        Motivo: nullable(Type.String({ examples: ['Las fotos no corresponden al auto.'] })),
      }),
    ),
    Exposicion: nullable(Exposicion),
    ExposicionOtorgada: nullable(Type.Enum([...EXPOSICIONES], { description: 'La que tiene; null si no se muestra' })),
    OperadorResponsable,
    ...VEHICLE,
    Version: nullable(VEHICLE.Version),
    ...car,
    Fotos,
    DatosTecnicosCustom,
    Creada: Timestamp,
    Modificada: Timestamp,
    _links: Type.Ref('Links', { description: 'marca, modelo, color …: las entradas del catálogo que corresponden' }),
  },
  { $id: 'Publicacion' },
)

const page = (name: string, of: string) =>
  Type.Object(
    {
      Pagina: count(1),
      Total: count(48, { description: 'Cuántas hay, en todas las páginas' }),
      PerPagina: count(25),
      _links: Type.Ref('Links'),
      _entries: Type.Array(Type.Ref(of)),
    },
    { $id: name },
  )

export const Publicaciones = page('Publicaciones', 'Publicacion')
export const PublicacionesRef = page('PublicacionesRef', 'Ref')

export const PublicacionParams = Type.Object({ adminMail: AdminMail, externalid: ExternalId })

export const PublicacionesQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un colaborador: aquellas de las que es responsable')),
  estado: Type.Optional(Type.Enum([...ESTADOS], { description: 'Si falta, las que no están archivadas' })),
  q: Type.Optional(Part('Partes de la marca, el modelo, la versión, el ExternalId o el RefStock')),
  pagina: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE, format: 'int32' })),
})

const Day = Type.String({ format: 'date', examples: ['2026-03-04'] })
const Count = Type.Integer({ minimum: 0 })

export const EstadisticasQuery = Type.Object({
  desde: Type.Optional(
    Type.String({ format: 'date', description: 'Primer día; como mínimo, y si falta, hoy menos 90 días' }),
  ),
  hasta: Type.Optional(Type.String({ format: 'date', description: 'Último día; si falta, hoy' })),
})

export const PublicacionEstadisticas = Type.Object(
  {
    Desde: Day,
    Hasta: Day,
    Visitas: Count,
    Consultas: Count,
    Dias: Type.Array(Type.Object({ Dia: Day, Visitas: Count, Consultas: Count })),
    _links: Type.Ref('Links'),
  },
  { $id: 'PublicacionEstadisticas' },
)

export const SCHEMAS: readonly TSchema[] = [Publicacion, Publicaciones, PublicacionesRef]

export type EstadisticasQuery = Static<typeof EstadisticasQuery>
export type PublicacionesQuery = Static<typeof PublicacionesQuery>
