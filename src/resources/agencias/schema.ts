import Type, { type Static, type TSchema } from 'typebox'
import {
  Count,
  closed,
  ignored,
  listOf,
  nullable,
  OperadorMail,
  optional,
  optionalMembers,
  shownMembers,
  Timestamp,
} from '../../http/schemas.ts'
import { ESTADOS_INVITACION, FIELDS, text } from './agencia.ts'
import { EXPOSICIONES } from './paquetes.ts'

export const ADMIN_MAIL_CHARACTERS = 50 // spec, "Limits"

export const AdminMail = Type.String({ format: 'email', maxLength: ADMIN_MAIL_CHARACTERS })
export const AdminMailParam = Type.String({ ...AdminMail, description: 'Correo de quien administra la agencia' })
export const AdminMailParams = Type.Object({ adminMail: AdminMailParam })
export const AgenciasQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un administrador o colaborador')),
})

/** The body of an invitation (docs/decisions/agencies.md). */
export const AgenciaCreate = Type.Object(
  {
    AdminMail: Type.String({ ...AdminMail, description: 'Quien va a administrar la agencia: recibe la invitación' }),
    Nombre: optional(text(120, { examples: ['Automotores del Sur'] })),
    AdminNombre: optional(text(50, { examples: ['Ana'] })),
    AdminApellido: optional(text(50, { examples: ['Paz'] })),
    Telefono: optional(FIELDS.Telefono.schema),
    Region: optional(FIELDS.Region.schema),
    Ciudad: optional(FIELDS.Ciudad.schema),
    Direccion: optional(FIELDS.Direccion.schema),
    Mensaje: optional(
      text(500, {
        description: 'Se cita en el correo como texto, sin enlaces',
        examples: ['Hola, Ana: con esto publica sus autos sin volver a cargarlos.'],
      }),
    ),
  },
  { $id: 'AgenciaCreate', ...closed },
)

/** What a representation has beyond `AgenciaEdit`: sent back in a PUT, it is accepted and ignored (docs/decisions/api.md). */
const IGNORED = ['AdminMail', 'Estado', 'Invitacion', 'Administrador', 'Operadores', 'Consultas', 'Productos', '_links']

const { Nombre, ...OPTIONAL } = FIELDS

/** All that an app may edit: a member left out becomes null. */
export const AgenciaEdit = Type.Object(
  { Nombre: Nombre.schema, ...optionalMembers(OPTIONAL), ...ignored(IGNORED) },
  { $id: 'AgenciaEdit', description: 'Lo que falta queda en null.', ...closed },
)

const Resource = (description: string) => Type.Ref('Recurso', { description })

const AgenciaInvitacion = Type.Object(
  {
    Estado: Type.Enum([...ESTADOS_INVITACION]),
    Enviada: Timestamp,
    Vence: Timestamp,
  },
  { $id: 'AgenciaInvitacion' },
)

const Estado = Type.Enum(['invitada', 'asociada'])
const InvitacionOrNull = nullable(Type.Ref('AgenciaInvitacion'))

const person = {
  Nombre: nullable(Type.String({ examples: ['Ana'] })),
  Apellido: nullable(Type.String({ examples: ['Paz'] })),
  Email: Type.String({ format: 'email', examples: ['ana@agencia.example'] }),
}

const Agencia = Type.Object(
  {
    AdminMail: Type.String({ format: 'email', examples: ['ana@agencia.example'] }),
    ...shownMembers(FIELDS),
    Estado,
    Invitacion: InvitacionOrNull,
    Administrador: Type.Object(person),
    Operadores: Type.Array(Type.Object({ ...person, Rol: Type.Enum(['administrador', 'vendedor']) })),
    Consultas: Resource('Las consultas que recibió; sin enlaces mientras no esté asociada'),
    Productos: Resource('El estado de su paquete; sin enlaces mientras no esté asociada'),
    _links: Type.Ref('Links'),
  },
  { $id: 'Agencia' },
)

/** The response to OPTIONS. */
const EstadoDeAgencia = Type.Object({ Estado, Invitacion: InvitacionOrNull }, { $id: 'EstadoDeAgencia' })

const Day = nullable(Type.String({ format: 'date' }))

export const AgenciaProductos = Type.Object(
  {
    Paquete: Type.Object({
      Nombre: nullable(Type.String({ examples: ['Plan 50'] })),
      Estado: Type.Enum(['vigente', 'vencido', 'sin-contratar']),
      Desde: Day,
      Hasta: Day,
    }),
    Publicaciones: Type.Array(
      Type.Object({
        Exposicion: Type.Enum([...EXPOSICIONES]),
        Contratadas: Count,
        Usadas: Count,
        Disponibles: Count,
      }),
    ),
    ConsultasDeCatalogo: Type.Boolean({
      description: 'Indica si el paquete incluye consultas sobre modelos del catálogo',
    }),
    _links: Type.Ref('Links'),
  },
  { $id: 'AgenciaProductos' },
)

export const SCHEMAS: readonly TSchema[] = [
  AgenciaCreate,
  AgenciaEdit,
  AgenciaInvitacion,
  Agencia,
  listOf('Agencias', 'Agencia'),
  listOf('AgenciasRef', 'AgenciaRef'),
  EstadoDeAgencia,
  AgenciaProductos,
]

export type AgenciaCreate = Static<typeof AgenciaCreate>
export type AgenciaEdit = Static<typeof AgenciaEdit>
