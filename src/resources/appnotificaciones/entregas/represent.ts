import { toTimestamp } from '../../../http/dates.ts'
import { link, withQuery } from '../../../http/links.ts'
import type { Attempt, LoggedDelivery } from '../../../webhooks/delivery-log.ts'
import type { Resent } from '../../../webhooks/resend.ts'
import { entregaHref, entregasHref, reenviarFailedHref, reenviarHref, webhookHref } from '../represent.ts'
import { filtersOf, hasFilter } from './filter.ts'
import type { EntregasQuery, Filters, ReenviarQuery } from './schema.ts'

/** How the log of a topic looks to its app, whose webhook is there or not, and on or not. */
interface Sight {
  timeZone: string
  isConfigured: boolean
  mayResend: boolean
}

export const entregaEntry = (delivery: LoggedDelivery, { timeZone, isConfigured, mayResend }: Sight) => {
  const { id, topic, agencia, estado, dueAt, attempts } = delivery
  return {
    Id: id,
    Evento: id,
    Topic: topic,
    Agencia: agencia,
    Estado: estado,
    Intentos: attempts.map((attempt) => intento(attempt, timeZone)),
    ProximoIntento: estado === 'pendiente' ? toTimestamp(dueAt, timeZone) : null,
    _links: {
      self: link(entregaHref(topic, id)),
      ...(mayResend && { reenviar: link(withQuery(reenviarHref(topic), { evento: id }), 'POST') }),
      entregas: link(entregasHref(topic)),
      ...(isConfigured && { webhook: link(webhookHref(topic)) }),
    },
  }
}

const intento = ({ at, ms, status, error }: Attempt, timeZone: string) => ({
  Momento: toTimestamp(at, timeZone),
  DuracionMs: ms,
  Status: status,
  Error: error,
})

/** One delivery in full, printed: the payload as it was frozen, byte for byte. */
export function entregaText(delivery: LoggedDelivery & { payload: string }, sight: Sight): string {
  const entry = {
    ...entregaEntry(delivery, sight),
    Intentos: delivery.attempts.map((attempt) => ({
      ...intento(attempt, sight.timeZone),
      Direccion: attempt.address,
      Respuesta: attempt.answer,
    })),
  }
  return `${JSON.stringify(entry).slice(0, -1)},"Payload":${delivery.payload}}`
}

/** A page of the log, newest first; `next` while there is more. */
export function entregasList(
  topic: string,
  query: EntregasQuery,
  { page, isLast }: { page: LoggedDelivery[]; isLast: boolean },
  sight: Sight,
) {
  const [list, filters] = [entregasHref(topic), filtersOf(query)]
  const last = page.at(-1)
  return {
    _links: {
      self: link(withQuery(list, { ...filters, cursor: query.cursor })),
      first: link(withQuery(list, filters)),
      ...(!isLast && last && { next: link(withQuery(list, { ...filters, cursor: last.id })) }),
      buscar: link(
        `${list}?estado={estado}&adminMail={adminMail}&evento={evento}&sid={sid}&desde={desde}&hasta={hasta}`,
      ),
      ...(sight.mayResend && { reenviar: link(resendHref(topic, query), 'POST') }),
      ...(sight.isConfigured && { webhook: link(webhookHref(topic)) }),
    },
    _entries: page.map((delivery) => entregaEntry(delivery, sight)),
  }
}

/** Without filters the log shows everything; what is worth sending again of that is what failed. */
const resendHref = (topic: string, query: Filters): string =>
  hasFilter(query) ? withQuery(reenviarHref(topic), filtersOf(query)) : reenviarFailedHref(topic)

export const reenvioHref = (topic: string, query: Filters): string => withQuery(entregasHref(topic), filtersOf(query))

/** How many were sent again, or would be; `next` sends what one call does not reach. */
export const reenvioEntry = (topic: string, query: ReenviarQuery, { count, last }: Resent, simulado: boolean) => ({
  Cantidad: count,
  Simulado: simulado,
  _links: {
    entregas: link(reenvioHref(topic, query)),
    ...(last && {
      next: link(withQuery(reenviarHref(topic), { ...filtersOf(query), todo: query.todo, cursor: last }), 'POST'),
    }),
  },
})
