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
  const by = 'Por' in event ? `by the ${DECIDERS[event.Por] ?? event.Por}` : ''
  return 'ExternalId' in event ? `${event.ExternalId}, ${by}` : by
}

/** Who decided, in English. */
const DECIDERS: Record<string, string> = { mercado: 'marketplace', agencia: 'dealership' }
