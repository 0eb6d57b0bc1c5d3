import Type, { type Static, type TSchema } from 'typebox'
import { type Links, link, segment, withQuery } from '../../http/links.ts'
import { closed, ignored, listOf, MAIL_CHARACTERS, nullable, OperadorMail, optional } from '../../http/schemas.ts'
import { type AgenciaOfApp, FIELDS } from '../agencias/agencia.ts'
import { agenciaRef } from '../agencias/represent.ts'

export const OperadoresQuery = Type.Object({
  operador: Type.Optional(OperadorMail('Correo de un administrador o colaborador: las agencias donde trabaja')),
})

const Email = Type.String({ format: 'email', maxLength: MAIL_CHARACTERS, examples: ['vendedor@agencia.example'] })
const Nombre = Type.String({ maxLength: 50, examples: ['Beto'] })
const Apellido = Type.String({ maxLength: 50, examples: ['Luna'] })

const MAX_PEOPLE = 200

export const OperadoresEdit = Type.Object(
  {
    Operadores: Type.Array(
      Type.Object(
        {
          Email,
          Nombre: optional(Nombre),
          Apellido: optional(Apellido),
          Telefono: optional(FIELDS.Telefono.schema),
          WhatsApp: optional(FIELDS.WhatsApp.schema),
          ...ignored(['Rol']),
        },
        closed,
      ),
      { maxItems: MAX_PEOPLE, description: 'Personas que trabajan en la agencia; las que no se nombran siguen igual' },
    ),
    ...ignored(['AdminMail', 'Agencia', '_links']),
  },
  {
    $id: 'OperadoresEdit',
    description:
      'De cada persona, lo que falta vuelve a ser lo que dice su cuenta, o null. Por aquí no se agregan ni se quitan personas: lo decide la agencia.',
    ...closed,
  },
)

const Operadores = Type.Object(
  {
    AdminMail: Type.String({ format: 'email', examples: ['ana@agencia.example'] }),
    Agencia: Type.Ref('AgenciaRef'),
    Operadores: Type.Array(
      Type.Object({
        Email,
        Nombre: nullable(Nombre),
        Apellido: nullable(Apellido),
        Rol: Type.Enum(['administrador', 'vendedor']),
        Telefono: FIELDS.Telefono.shown,
        WhatsApp: FIELDS.WhatsApp.shown,
      }),
    ),
    _links: Type.Ref('Links'),
  },
  { $id: 'Operadores', description: 'Las personas que trabajan en una agencia' },
)

export const SCHEMAS: readonly TSchema[] = [OperadoresEdit, Operadores, listOf('OperadoresLista', 'Operadores')]

export type OperadoresEdit = Static<typeof OperadoresEdit>

const LIST = '/v3/operadores'

const hrefOf = (adminMail: string): string => `${LIST}/${segment(adminMail)}`

/** The people of an agency; the links depend on the app's permissions. */
export const operadoresEntry = (agencia: AgenciaOfApp) => ({
  AdminMail: agencia.adminMail,
  Agencia: agenciaRef(agencia),
  Operadores: agencia.operadores.map(({ email, nombre, apellido, rol, telefono, whatsapp }) => ({
    Email: email,
    Nombre: nombre || null,
    Apellido: apellido || null,
    Rol: rol,
    Telefono: telefono,
    WhatsApp: whatsapp,
  })),
  _links: {
    self: link(hrefOf(agencia.adminMail)),
    ...(agencia.permisos.editar && { editar: link(hrefOf(agencia.adminMail), 'PUT') }),
    agencia: link(agenciaRef(agencia).href),
    operadores: link(LIST),
  },
})

export const operadoresLinks = (operador: string | undefined): Links => ({
  self: link(withQuery(LIST, { operador })),
  buscar: link(`${LIST}?operador={operador}`),
  agencias: link('/v3/agencias'),
})
