/** The topics of events (docs/decisions/webhooks.md). */
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

/** `consulta.recibida` is `ConsultaRecibida` in the names of operations and schemas. */
export const nameOfTopic = (topic: Topic): string =>
  topic.replace(/(?:^|\.)([a-z])/g, (_, initial: string) => initial.toUpperCase())

export const DESCRIPTIONS: Record<Topic, string> = {
  'agencia.registrada': 'Una agencia quedó asociada con la app: aceptó su invitación o se conectó.',
  'agencia.modificada': 'Cambiaron los datos de una agencia asociada.',
  'agencia.desasociada': 'La agencia o el mercado terminaron la asociación con la app.',
  'consulta.recibida': 'Una agencia recibió una consulta.',
  'consulta.modificada': 'Cambió el estado de una consulta, o quién la tiene a cargo.',
  'consulta.suprimida': 'Se borraron los datos personales de una consulta.',
  'publicacion.activada': 'Una publicación de la app volvió a mostrarse, sin que la app lo pidiera.',
  'publicacion.suspendida': 'Una publicación de la app dejó de mostrarse, sin que la app lo pidiera.',
  'publicacion.archivada': 'Una publicación de la app se archivó, sin que la app lo pidiera.',
  'webhook.prueba':
    'Una notificación de prueba: se envía cuando la app prueba este topic y, en producción, a cada Callback nuevo.',
}
