import Type, { type Static, type TSchema } from 'typebox'
import { listOf, OperadorMail } from '../../http/schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

const MAIL_CHARACTERS = 50 // spec, "Limits"

export const AdminMail = Type.String({ format: 'email', maxLength: MAIL_CHARACTERS })
export const AdminMailParams = Type.Object({ adminMail: AdminMail })
export const AgenciasQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un administrador o colaborador')),
})

const Nombre = text(120, { minLength: 1, examples: ['Automotores del Sur'] })
const Telefono = Type.String({ format: 'tel', minLength: 8, maxLength: 20, examples: ['011 4555-1234'] })
const Region = text(200, { description: 'Como en regiones/bestmatch', examples: ['Buenos Aires'] })
const Ciudad = text(200, { description: 'Como en ciudades/bestmatch; necesita Region', examples: ['Temperley'] })
const Direccion = text(200, { examples: ['Av. Espora 1200'] })

/** The body of an invitation (decisions, 6). */
export const AgenciaCreate = Type.Object(
  {
    AdminMail: Type.String({ ...AdminMail, description: 'Quien va a administrar la agencia: recibe la invitación' }),
    Nombre: optional(text(120, { examples: ['Automotores del Sur'] })),
    AdminNombre: optional(text(50, { examples: ['Ana'] })),
    AdminApellido: optional(text(50, { examples: ['Paz'] })),
    Telefono: optional(Telefono),
    Region: optional(Region),
    Ciudad: optional(Ciudad),
    Direccion: optional(Direccion),
    Mensaje: optional(text(500, { description: 'Se cita en el correo como texto, sin enlaces' })),
  },
  { $id: 'AgenciaCreate', additionalProperties: false },
)

const EDITED = {
  RazonSocial: text(120, { examples: ['Automotores del Sur S.A.'] }),
  IdFiscal: text(20, { description: 'En Argentina, un CUIT', examples: ['30-50001091-2'] }),
  Telefono,
  WhatsApp: Type.String({ format: 'whatsapp', maxLength: 20, examples: ['+5491145551234'] }),
  SitioWeb: text(200, { format: 'uri', examples: ['https://automotores.example'] }),
  Region,
  Ciudad,
  Direccion,
  CodigoPostal: text(20, { examples: ['B1834'] }),
}

/** What a representation has beyond `AgenciaEdit`: sent back in a PUT, it is accepted and ignored (decisions, 3). */
const ADDED = ['AdminMail', 'Estado', 'Invitacion', 'Administrador', 'Operadores', 'Consultas', 'Productos', '_links']

type Edited = { [Name in keyof typeof EDITED]: ReturnType<typeof optional<(typeof EDITED)[Name]>> }

/** The whole of what an app may edit: a member left out becomes null. */
export const AgenciaEdit = Type.Object(
  {
    Nombre,
    ...(Object.fromEntries(Object.entries(EDITED).map(([name, schema]) => [name, optional(schema)])) as Edited),
  },
  {
    $id: 'AgenciaEdit',
    description: `Lo que falta queda en null. ${ADDED.join(', ')} se aceptan y se ignoran: lo leído puede enviarse tal cual.`,
    patternProperties: { [`^(${ADDED.join('|')})$`]: {} },
    additionalProperties: false,
  },
)

const Timestamp = Type.String({ format: 'date-time' })
const Resource = (description: string) => Type.Object({ _links: Type.Ref('Links') }, { description })

export const AgenciaInvitacion = Type.Object(
  {
    Estado: Type.Enum(['pendiente', 'aceptada', 'vencida', 'revocada', 'rebotada']),
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

export const Agencia = Type.Object(
  {
    AdminMail: Type.String({ format: 'email', examples: ['ana@agencia.example'] }),
    Nombre: nullable(Type.String({ examples: ['Automotores del Sur'] })),
    ...(Object.fromEntries(Object.entries(EDITED).map(([name, schema]) => [name, nullable(schema)])) as Edited),
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

export const Agencias = listOf('Agencias', 'Agencia')
export const AgenciasRef = listOf('AgenciasRef', 'Ref')

/** What OPTIONS tells of an agency or an invitation. */
export const AgenciaEstado = Type.Object({ Estado, Invitacion: InvitacionOrNull }, { $id: 'AgenciaEstado' })

const Count = Type.Integer({ minimum: 0 })
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
        Exposicion: Type.Enum(['Alta', 'Media', 'Baja']),
        Contratadas: Count,
        Usadas: Count,
        Disponibles: Count,
      }),
    ),
    ConsultasDeCatalogo: Type.Boolean({ description: 'Si el paquete incluye consultas sobre modelos del catálogo' }),
    _links: Type.Ref('Links'),
  },
  { $id: 'AgenciaProductos' },
)

export const SCHEMAS: readonly TSchema[] = [
  AgenciaCreate,
  AgenciaEdit,
  AgenciaInvitacion,
  Agencia,
  Agencias,
  AgenciasRef,
  AgenciaEstado,
  AgenciaProductos,
]

export type AgenciaCreate = Static<typeof AgenciaCreate>
export type AgenciaEdit = Static<typeof AgenciaEdit>
