import type { EmailKind } from '../../../mail/email.ts'
import type { MailState } from '../../../mail/mails.ts'

/** The kinds of e-mails. */
export const KINDS: Record<EmailKind, string> = {
  invitacion: 'Invitación a una agencia',
  clave: 'Enlace para elegir la clave',
  'clave-cambiada': 'Clave cambiada',
  colaborar: 'Invitación a colaborar',
  equipo: 'Invitación al equipo de una app',
  personal: 'Invitación al personal',
  'segundo-paso': 'Cambio del segundo paso',
  'agencia-modificada': 'Datos de la agencia modificados',
  administrador: 'Cambio de administrador',
  'administrador-reemplazado': 'Administrador reemplazado',
  consulta: 'Consulta, a la agencia',
  'consulta-recibo': 'Acuse, a quien consultó',
  'webhook-fallando': 'Webhook que falla',
  'webhook-deshabilitado': 'Webhook deshabilitado',
}

export const formatKind = (kind: string): string => (Object.hasOwn(KINDS, kind) ? KINDS[kind as EmailKind] : kind)

/** The states of an e-mail, and their colours. */
export const STATES: Record<MailState, { label: string; badge: string; means: string }> = {
  pendiente: { label: 'en camino', badge: 'status-3', means: 'Espera su turno, o el próximo intento.' },
  entregada: { label: 'entregado', badge: 'status-2', means: 'El servidor de correo lo aceptó.' },
  fallida: { label: 'no llegó', badge: 'status-5', means: 'El servidor de correo lo rechazó, o se dejó de intentar.' },
  guardada: { label: 'guardado', badge: 'status-4', means: 'No hay servidor de correo: se lee aquí.' },
}
