import { link, segment, withQuery } from '../../http/links.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { agenciaRef } from '../agencias/represent.ts'

const LIST = '/v3/operadores'

const hrefOf = (adminMail: string): string => `${LIST}/${segment(adminMail)}`

/** The people of an agency; only what this app may do is offered. */
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

export const operadoresList = (agencias: AgenciaOfApp[], operador: string | undefined) => ({
  _links: {
    self: link(withQuery(LIST, { operador })),
    buscar: link(`${LIST}?operador={operador}`),
    agencias: link('/v3/agencias'),
  },
  _entries: agencias.map(operadoresEntry),
})
