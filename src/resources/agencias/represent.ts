import { toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment } from '../../http/links.ts'
import { type AgenciaOfApp, dataEntry, type Invitacion, type InvitacionSummary, type Operador } from './agencia.ts'
import type { PaqueteToday } from './paquetes.ts'

const LIST = '/v3/agencias'

export const agenciaHref = (adminMail: string): string => `${LIST}/${segment(adminMail)}`

/** Ref title: `Nombre (AdminMail)`; an invitation may have no name yet. */
export const agenciaRef = ({ adminMail, nombre }: { adminMail: string; nombre: string | null }) => ({
  href: agenciaHref(adminMail),
  title: nombre ? `${nombre} (${adminMail})` : adminMail,
})

const personOf = ({ nombre, apellido, email }: { nombre: string | null; apellido: string | null; email: string }) => ({
  Nombre: nombre || null,
  Apellido: apellido || null,
  Email: email,
})

const operadorOf = (operador: Operador) => ({ ...personOf(operador), Rol: operador.rol })

const invitacionOf = ({ estado, enviada, vence }: InvitacionSummary, timeZone: string) => ({
  Estado: estado,
  Enviada: toTimestamp(enviada, timeZone),
  Vence: toTimestamp(vence, timeZone),
})

/** An agency as an associated app sees it; the links depend on the app's permissions. */
export function agenciaEntry(agencia: AgenciaOfApp, timeZone: string) {
  const self = agenciaHref(agencia.adminMail)
  const consultas = link(`/v3/consultas/${segment(agencia.adminMail)}`)
  const productos = link(`${self}/productos`)
  const administrador = agencia.operadores.find(({ rol }) => rol === 'administrador')
  return {
    AdminMail: agencia.adminMail,
    ...dataEntry(agencia),
    ...estadoOf(agencia, timeZone),
    Administrador: personOf(administrador ?? { nombre: null, apellido: null, email: agencia.adminMail }),
    Operadores: agencia.operadores.map(operadorOf),
    Consultas: { _links: { self: consultas } },
    Productos: { _links: { self: productos } },
    _links: {
      self: link(self),
      ...(agencia.permisos.editar && { editar: link(self, 'PUT') }),
      desasociar: link(`${self}/desasociar`, 'PATCH'),
      productos,
      consultas,
      publicaciones: link(`/v3/publicaciones/${segment(agencia.adminMail)}`),
      operadores: link(`/v3/operadores/${segment(agencia.adminMail)}`),
      sucursales: link(`/v3/sucursales/${segment(agencia.adminMail)}`),
      agencias: link(LIST),
    },
  }
}

export function invitacionEntry(invitacion: Invitacion, timeZone: string) {
  const self = agenciaHref(invitacion.adminMail)
  const { adminNombre, adminApellido, adminMail } = invitacion
  return {
    AdminMail: adminMail,
    ...dataEntry(invitacion),
    ...estadoOf(invitacion, timeZone),
    Administrador: personOf({ nombre: adminNombre, apellido: adminApellido, email: adminMail }),
    Operadores: [],
    Consultas: { _links: {} },
    Productos: { _links: {} },
    _links: {
      self: link(self),
      ...(invitacion.estado === 'pendiente' && { desasociar: link(`${self}/desasociar`, 'PATCH') }),
      agencias: link(LIST),
    },
  }
}

/** The state of an agency or invitation, as OPTIONS answers it. */
export function estadoOf(seen: AgenciaOfApp | Invitacion, timeZone: string) {
  if ('permisos' in seen)
    return { Estado: 'asociada', Invitacion: seen.invitacion && invitacionOf(seen.invitacion, timeZone) }
  return { Estado: 'invitada', Invitacion: invitacionOf(seen, timeZone) }
}

export const agenciasLinks = (operador: string | undefined): Links => ({
  self: link(operador === undefined ? LIST : `${LIST}?operador=${encodeURIComponent(operador).replace('%40', '@')}`),
  buscar: link(`${LIST}?operador={operador}`),
  invitar: link(LIST, 'POST'),
  agencia: link(`${LIST}/{adminMail}`),
})

/** Nothing is available outside the package's days. More may be used than contracted if it became smaller. */
export function productosEntry(adminMail: string, found: PaqueteToday) {
  const agencia = agenciaHref(adminMail)
  const current = found.estado === 'vigente'
  const row = (Exposicion: keyof PaqueteToday['usadas'], contratadas: number) => {
    const usadas = found.usadas[Exposicion]
    const disponibles = current ? Math.max(0, contratadas - usadas) : 0
    return { Exposicion, Contratadas: contratadas, Usadas: usadas, Disponibles: disponibles }
  }
  return {
    Paquete: { Nombre: found.nombre, Estado: found.estado, Desde: found.desde, Hasta: found.hasta },
    Publicaciones: [row('Alta', found.alta), row('Media', found.media), row('Baja', found.baja)],
    ConsultasDeCatalogo: current && found.consultasDeCatalogo,
    _links: {
      self: link(`${agencia}/productos`),
      publicaciones: link(`/v3/publicaciones/${segment(adminMail)}`),
      agencia: link(agencia),
    },
  }
}
