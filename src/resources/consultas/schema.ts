import Type, { type Static, type TSchema } from 'typebox'
import { integer, OperadorMail, Pagina, PERIOD, pageOf, timestamp } from '../../http/schemas.ts'
import { AdminMailParam } from '../agencias/schema.ts'
import { Auto, Money } from './auto.ts'
import { ConsultaCreate, ConsultaSchema, EstadoDeConsulta } from './consulta.ts'
import { InfoOperacion, Interesado, InteresadoCreate } from './person.ts'

const page = (name: string, of: string) =>
  pageOf(name, of, integer(312, { description: 'Cuántas hay en el período, en todas las páginas' }), {
    Desde: timestamp('El primer instante del período'),
    Hasta: timestamp('El último instante del período'),
  })

/** Our sids are ULIDs; a request may ask for any text of the length that the specification gives. */
const Sid = Type.String({
  minLength: 20,
  maxLength: 30,
  description: 'Identificador de la consulta',
  examples: ['01JNG3Y4Z5A6B7C8D9E0F1G2H3'],
})

export const SidParams = Type.Object({ adminMail: AdminMailParam, sid: Sid })

export const ConsultasQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un colaborador: solo las consultas que él ve')),
  externalid: Type.Optional(Type.String({ maxLength: 255, description: 'Solo las de esa publicación' })),
  ...PERIOD,
  pagina: Type.Optional(Pagina),
})

export const SCHEMAS: readonly TSchema[] = [
  Money,
  Auto,
  InfoOperacion,
  Interesado,
  ConsultaSchema,
  page('Consultas', 'Consulta'),
  page('ConsultasRef', 'ConsultaRef'),
  EstadoDeConsulta,
]

export const CREATE_SCHEMAS: readonly TSchema[] = [InteresadoCreate, ConsultaCreate]

export type ConsultasQuery = Static<typeof ConsultasQuery>
