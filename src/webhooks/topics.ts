/** What can happen that an app may be told of (decisions, "AppNotificaciones"). */
export const TOPICS = [
  'agencia.registrada',
  'agencia.modificada',
  'agencia.desasociada',
  'consulta.recibida',
  'consulta.modificada',
  'consulta.suprimida',
  'publicacion.activada',
  'publicacion.suspendida',
  'publicacion.archivada',
  'webhook.prueba',
] as const

export type Topic = (typeof TOPICS)[number]

export const isTopic = (text: string): text is Topic => (TOPICS as readonly string[]).includes(text)
