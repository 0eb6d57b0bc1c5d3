import { toTimestamp } from '../../../http/dates.ts'
import { link, withQuery } from '../../../http/links.ts'
import { FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import type { Attempt } from '../../../webhooks/delivery-log.ts'
import type { Resent } from '../../../webhooks/resend.ts'
import type { LoggedDelivery } from '../../../webhooks/topic-log.ts'
import { entregaHref, entregasHref, hrefOf, reenviarHref } from '../represent.ts'
import { filtersOf, hasFilter } from './filter.ts'
import type { EntregasQuery, Filters, ReenviarQuery } from './schema.ts'

interface EntregaRendering {
  timeZone: string
  isConfigured: boolean
  mayResend: boolean
}

const entregaEntry = (delivery: LoggedDelivery, { timeZone, isConfigured, mayResend }: EntregaRendering) => {
  const { id, evento, destino, topic, agencia, estado, dueAt, attempts } = delivery
  const query = destinoParam(destino)
  return {
    Id: id,
    Evento: evento,
    Topic: topic,
    Destino: destino,
    Agencia: agencia,
    Estado: estado,
    Intentos: attempts.map((attempt) => intento(attempt, timeZone)),
    ProximoIntento: estado === 'pendiente' && dueAt ? toTimestamp(dueAt, timeZone) : null,
    _links: {
      self: link(entregaHref(topic, id)),
      ...(mayResend && { reenviar: link(withQuery(reenviarHref(topic), { evento, ...query }), 'POST') }),
      entregas: link(withQuery(entregasHref(topic), query)),
      ...(isConfigured && { webhook: link(hrefOf({ topic, destino })) }),
    },
  }
}

/** The first one needs none. */
const destinoParam = (destino: number | undefined) => ({ destino: destino === FIRST_DESTINO ? undefined : destino })

const intento = ({ at, ms, status, error }: Attempt, timeZone: string) => ({
  Momento: toTimestamp(at, timeZone),
  DuracionMs: ms,
  Status: status,
  Error: error,
})

/** One delivery in full as JSON, with the payload exactly as stored. */
export function entregaText(delivery: LoggedDelivery & { payload: string }, rendering: EntregaRendering): string {
  const entry = {
    ...entregaEntry(delivery, rendering),
    Intentos: delivery.attempts.map((attempt) => ({
      ...intento(attempt, rendering.timeZone),
      Direccion: attempt.address,
      Respuesta: attempt.answer,
    })),
  }
  return `${JSON.stringify(entry).slice(0, -1)},"Payload":${delivery.payload}}`
}

/** A page of deliveries, newest first; `next` if there are more. */
export function entregasList(
  topic: string,
  query: EntregasQuery,
  { page, isLast }: { page: LoggedDelivery[]; isLast: boolean },
  rendering: EntregaRendering,
) {
  const list = entregasHref(topic)
  const filters = filtersOf(query)
  const last = page.at(-1)
  return {
    _links: {
      self: link(withQuery(list, { ...filters, cursor: query.cursor })),
      first: link(withQuery(list, filters)),
      ...(!isLast && last && { next: link(withQuery(list, { ...filters, cursor: last.evento })) }),
      buscar: link(
        `${list}?estado={estado}&adminMail={adminMail}&evento={evento}&sid={sid}&desde={desde}&hasta={hasta}&destino={destino}`,
      ),
      ...(rendering.mayResend && { reenviar: link(resendHref(topic, query), 'POST') }),
      ...(rendering.isConfigured && {
        webhook: link(hrefOf({ topic, destino: query.destino ?? FIRST_DESTINO })),
      }),
    },
    _entries: page.map((delivery) => entregaEntry(delivery, rendering)),
  }
}

/** Without filters, the link resends the failed ones. */
const resendHref = (topic: string, query: Filters): string =>
  withQuery(reenviarHref(topic), hasFilter(query) ? filtersOf(query) : { estado: 'fallida', destino: query.destino })

export const reenvioHref = (topic: string, query: Filters): string => withQuery(entregasHref(topic), filtersOf(query))

/** The result of a resend; `next` continues beyond the limit of one call. */
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
