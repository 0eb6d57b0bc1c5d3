import Type, { type Static, type TSchema } from 'typebox'
import { OperadorMail } from '../../http/schemas.ts'
import { AdminMail } from '../agencias/schema.ts'
import { CONDICIONES, ESTADOS, INTERESES, ORIGENES, TIPOS_ANUNCIO } from './consulta.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const example = (text: string, more: object = {}) => Type.String({ examples: [text], ...more })
const count = (value: number, more: object = {}) => Type.Integer({ examples: [value], ...more })

export const Money = Type.Object(
  {
    Moneda: example('ARS', { description: 'Código ISO 4217' }),
    Importe: Type.Number({ examples: [18_500_000] }),
  },
  { $id: 'Money' },
)

export const Auto = Type.Object(
  {
    ExternalId: example('AB-1023', { description: 'El de la publicación; vacío en las consultas de catálogo' }),
    RefStock: nullable(example('S-881')),
    Marca: example('Fiat'),
    Modelo: example('Cronos'),
    Version: nullable(example('1.3 Drive')),
    VersionYear: nullable(count(2022)),
    Kilometraje: nullable(count(38_000)),
    Color: nullable(example('Blanco')),
    BodyType: nullable(example('Sedán')),
    Estado: Type.Enum([...CONDICIONES]),
    Precio: nullable(Type.Ref('Money')),
    Anticipo: nullable(Type.Ref('Money')),
    Cuota: nullable(Type.Ref('Money')),
  },
  { $id: 'Auto', description: 'El auto como era al recibirse la consulta: no cambia con la publicación' },
)

export const InfoOperacion = Type.Object(
  {
    EntregaVehiculo: nullable(
      Type.Object(
        { Marca: example('Renault'), Modelo: example('Clio'), VersionYear: nullable(count(2012)) },
        { description: 'El vehículo que ofrece en parte de pago' },
      ),
    ),
    FinanciacionDeseada: nullable(
      Type.Object({ Adelanto: nullable(Type.Ref('Money')), Cuota: nullable(Type.Ref('Money')) }),
    ),
    QuiereCotizacionSeguro: nullable(Type.Boolean()),
  },
  { $id: 'InfoOperacion' },
)

export const Interesado = Type.Object(
  {
    Interes: nullable(Type.Enum([...INTERESES])),
    Nombre: example('Lucía'),
    Apellido: example('Ferreyra'),
    Email: example('lucia@correo.example', { description: 'Vacío si no lo dio' }),
    Telefono: nullable(example('+54 9 341 555-0134')),
    DocIdentidad: nullable(example('30111222')),
    Provincia: nullable(example('Santa Fe')),
    Ciudad: nullable(example('Rosario')),
    Comentario: nullable(example('¿Aceptan permuta?')),
    InfoOperacion: nullable(Type.Ref('InfoOperacion')),
  },
  {
    $id: 'Interesado',
    description: 'Datos personales. Suprimidos a pedido: Nombre, Apellido y Email vacíos, lo demás null',
  },
)

const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-03-04T09:15:27.031-03:00'] })

export const EstadoConsulta = Type.Enum([...ESTADOS], { description: 'El trabajo de la agencia sobre la consulta' })

export const Consulta = Type.Object(
  {
    Momento: Timestamp('Cuándo se recibió'),
    OrigenLead: Type.Enum([...ORIGENES]),
    TipoAnuncio: Type.Enum([...TIPOS_ANUNCIO]),
    Auto: Type.Ref('Auto'),
    Interesado: Type.Ref('Interesado'),
    OperadorResponsable: nullable(example('vendedor@agencia.example', { format: 'email' })),
    Estado: EstadoConsulta,
    _links: Type.Ref('Links', {
      description: 'primera: la anterior de la misma persona sobre el mismo auto, dentro de las 24 horas',
    }),
  },
  { $id: 'Consulta' },
)

const page = (name: string, of: string) =>
  Type.Object(
    {
      Desde: Timestamp('El primer instante del período'),
      Hasta: Timestamp('El último instante del período'),
      Pagina: count(1),
      Total: count(312, { description: 'Cuántas hay en el período, en todas las páginas' }),
      PerPagina: count(25),
      _links: Type.Ref('Links'),
      _entries: Type.Array(Type.Ref(of)),
    },
    { $id: name },
  )

export const Consultas = page('Consultas', 'Consulta')
export const ConsultasRef = page('ConsultasRef', 'Ref')

/** What an inquiry has beyond its state: sent back in a PUT, it is accepted and ignored (decisions, 3). */
const READ = ['Momento', 'OrigenLead', 'TipoAnuncio', 'Auto', 'Interesado', 'OperadorResponsable', '_links']

/** The body of PUT …/estado. */
export const ConsultaEstado = Type.Object(
  { Estado: EstadoConsulta },
  {
    $id: 'ConsultaEstado',
    description: `${READ.join(', ')} se aceptan y se ignoran: lo leído puede enviarse tal cual.`,
    patternProperties: { [`^(${READ.join('|')})$`]: {} },
    additionalProperties: false,
  },
)

const LAST_PAGE = 99 // spec, "Limits"

/** A sid of ours is a ULID; any text of the length that the specification gives may be asked for. */
export const Sid = Type.String({ minLength: 20, maxLength: 30, examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'] })

export const SidParams = Type.Object({ adminMail: AdminMail, sid: Sid })

export const ConsultasQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un colaborador: solo las consultas que él ve')),
  externalid: Type.Optional(Type.String({ maxLength: 255, description: 'Solo las de esa publicación' })),
  desde: Type.Optional(
    Type.String({ format: 'date', description: 'Primer día; como mínimo, y si falta, hoy menos 90 días' }),
  ),
  hasta: Type.Optional(Type.String({ format: 'date', description: 'Último día; si falta, hoy' })),
  pagina: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE, format: 'int32' })),
})

export const SCHEMAS: readonly TSchema[] = [
  Money,
  Auto,
  InfoOperacion,
  Interesado,
  Consulta,
  Consultas,
  ConsultasRef,
  ConsultaEstado,
]

export type ConsultasQuery = Static<typeof ConsultasQuery>
export type ConsultaEstado = Static<typeof ConsultaEstado>
