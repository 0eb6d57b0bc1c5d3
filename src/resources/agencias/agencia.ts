import type { Rol } from '../../accounts/links.ts'
import type { Modo } from '../../apps/app.ts'

/** What an agency says of itself, and what `AgenciaEdit` replaces as a whole. */
export interface AgenciaData {
  nombre: string
  razonSocial: string | null
  idFiscal: string | null
  telefono: string | null
  whatsapp: string | null
  sitioWeb: string | null
  regionId: number | null
  region: string | null
  ciudadId: number | null
  ciudad: string | null
  direccion: string | null
  codigoPostal: string | null
}

/** Somebody who works at an agency, as they are presented there. */
export interface Operador {
  accountId: number
  nombre: string
  apellido: string
  email: string
  rol: Rol
  telefono: string | null
  whatsapp: string | null
}

/** A dealership; the administrator stands first among its operators. */
export interface Agencia extends AgenciaData {
  id: number
  modo: Modo
  adminMail: string
  operadores: Operador[]
}

/** What an agency lets an app do, beyond reading it. */
export interface Permisos {
  editar: boolean
  consultasDeCatalogo: boolean
  consultasDeOtros: boolean
}

export type InvitacionEstado = 'pendiente' | 'aceptada' | 'vencida' | 'revocada' | 'rebotada'

export interface InvitacionSummary {
  estado: InvitacionEstado
  enviada: Date
  vence: Date
}

/** An agency as the app sees that is associated with it. */
export interface AgenciaOfApp extends Agencia {
  permisos: Permisos
  invitacion: InvitacionSummary | null
}

/** An invitation, with what the app already said of the agency. */
export interface Invitacion extends InvitacionSummary {
  id: number
  appId: number
  modo: Modo
  adminMail: string
  nombre: string | null
  adminNombre: string | null
  adminApellido: string | null
  telefono: string | null
  regionId: number | null
  region: string | null
  ciudadId: number | null
  ciudad: string | null
  direccion: string | null
  mensaje: string | null
}

/** An app's association, as the agency's people see it. */
export interface Asociacion extends Permisos {
  app: { id: number; appKey: string; nombre: string }
  desde: Date
}
