import Type, { type Static, type TSchema } from 'typebox'
import { AdminMail } from '../agencias/schema.ts'
import { INTERESES, ORIGENES } from './consulta.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const closed = { additionalProperties: false }
const line = (maxLength: number, example: string, more: object = {}) =>
  Type.String({ maxLength, examples: [example], ...more })
const named = (maxLength: number, example: string) => line(maxLength, example, { minLength: 1 })

const MAIL_CHARACTERS = 254 // RFC 5321
const MOST_MONEY = 999_999_999_999
const [OLDEST_YEAR, NEWEST_YEAR] = [1908, 2050] // as a listing has them

const Amount = Type.Object(
  {
    Moneda: Type.String({ format: 'moneda', examples: ['ARS'] }),
    Importe: Type.Number({ minimum: 0, maximum: MOST_MONEY, examples: [1_500_000] }),
  },
  closed,
)

const EntregaVehiculo = Type.Object(
  {
    Marca: named(100, 'Renault'),
    Modelo: named(100, 'Clio'),
    VersionYear: optional(Type.Integer({ minimum: OLDEST_YEAR, maximum: NEWEST_YEAR, examples: [2012] })),
  },
  closed,
)

const InfoOperacionCreate = Type.Object(
  {
    EntregaVehiculo: optional(EntregaVehiculo),
    FinanciacionDeseada: optional(Type.Object({ Adelanto: optional(Amount), Cuota: optional(Amount) }, closed)),
    QuiereCotizacionSeguro: optional(Type.Boolean()),
  },
  closed,
)

/** Who asks. Leads are not lost for the form of a telephone: any that has the signs of one will do. */
export const InteresadoCreate = Type.Object(
  {
    Interes: optional(Type.Enum([...INTERESES], { description: 'Si falta, compra' })),
    Nombre: named(100, 'Lucía'),
    Apellido: optional(line(100, 'Ferreyra')),
    Email: optional(line(MAIL_CHARACTERS, 'lucia@correo.example', { format: 'email' })),
    Telefono: optional(line(30, '+54 9 341 555-0134', { format: 'tel', minLength: 6 })),
    DocIdentidad: optional(line(30, '30111222')),
    Provincia: optional(line(100, 'Santa Fe')),
    Ciudad: optional(line(100, 'Rosario')),
    Comentario: optional(line(2000, '¿Aceptan permuta?')),
    InfoOperacion: optional(InfoOperacionCreate),
  },
  { $id: 'InteresadoCreate', description: 'Con Email, con Telefono o con ambos', ...closed },
)

const Catalogo = Type.Object(
  {
    Marca: Type.String({ minLength: 1, maxLength: 200, description: 'Como en marcas/bestmatch', examples: ['Fiat'] }),
    Modelo: named(100, 'Cronos'),
    Version: optional(line(100, '1.3 Drive')),
  },
  closed,
)

/** The body of an inquiry that comes in (decisions, 9). */
export const ConsultaCreate = Type.Object(
  {
    Aviso: optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'El número público del aviso',
        examples: [100_231],
      }),
    ),
    AdminMail: optional(Type.String({ ...AdminMail, description: 'La agencia, con ExternalId o con Catalogo' })),
    ExternalId: optional(Type.String({ minLength: 2, maxLength: 255, examples: ['AB-1023'] })),
    Catalogo: optional(Catalogo),
    OrigenLead: Type.Enum([...ORIGENES]),
    Interesado: Type.Ref('InteresadoCreate'),
    OperadorResponsable: optional(
      Type.String({
        format: 'email',
        maxLength: MAIL_CHARACTERS,
        description: 'Si falta, el del aviso o quien administra',
      }),
    ),
  },
  {
    $id: 'ConsultaCreate',
    description:
      'Sobre qué es: Aviso, o AdminMail con ExternalId, o AdminMail con Catalogo; una sola de las tres formas.',
    ...closed,
  },
)

export const CREATE_SCHEMAS: readonly TSchema[] = [InteresadoCreate, ConsultaCreate]

export type InteresadoCreate = Static<typeof InteresadoCreate>
export type ConsultaCreate = Omit<Static<typeof ConsultaCreate>, 'Interesado'> & { Interesado: InteresadoCreate }
