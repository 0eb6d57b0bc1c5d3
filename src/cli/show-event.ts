import type { WebhookEvent } from '@rodado/client'

/** An event on one line. */
export const eventLine = (event: WebhookEvent): string =>
  [event.Topic.padEnd(23), event.Id, event.AdminMail, about(event), event.Prueba ? '(test)' : '']
    .filter(Boolean)
    .join('  ')

function about(event: WebhookEvent): string {
  switch (event.Topic) {
    case 'consulta.recibida':
    case 'consulta.modificada': {
      const { Auto, Estado } = event.Consulta
      return `${Auto.Marca} ${Auto.Modelo}, ${Estado}`
    }
    case 'consulta.suprimida':
      return event.Consulta.href
    case 'publicacion.activada':
    case 'publicacion.suspendida':
    case 'publicacion.archivada':
      return `${event.ExternalId}, by the ${event.Por}`
    case 'agencia.desasociada':
      return `by the ${event.Por}`
    default:
      return ''
  }
}
