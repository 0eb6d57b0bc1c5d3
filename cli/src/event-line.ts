import type { WebhookEvent } from '@rodado/client'
import type { Style } from './terminal.ts'

/** An event on one line. */
export const eventLine = (event: WebhookEvent, style: Style): string =>
  [
    style('cyan', event.Topic.padEnd(23)),
    style('dim', event.Id),
    event.AdminMail,
    about(event),
    event.Prueba ? style('yellow', '(test)') : '',
  ]
    .filter(Boolean)
    .join('  ')

function about(event: WebhookEvent): string {
  if ('Consulta' in event) {
    const { Consulta } = event
    return 'Auto' in Consulta ? `${Consulta.Auto.Marca} ${Consulta.Auto.Modelo}, ${Consulta.Estado}` : Consulta.href
  }
  if ('ExternalId' in event) return `${event.ExternalId}, by the ${event.Por}`
  return 'Por' in event ? `by the ${event.Por}` : ''
}
