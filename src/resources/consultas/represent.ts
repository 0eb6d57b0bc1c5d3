import { dayOf, type Period, toTimestamp } from '../../http/dates.ts'
import { type Links, link, segment, withQuery } from '../../http/links.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { autoOf, type Consulta, consultaHref, consultasHref, type Rendering, serializeConsulta } from './consulta.ts'
import { type Page, PER_PAGE } from './read.ts'
import { type ConsultasQuery, LAST_PAGE } from './schema.ts'

/** Ref title: `Marca Modelo (YYYY-MM-DD)`, the day of reception; nothing personal. */
export function consultaRef(row: Pick<Consulta, 'sid' | 'auto'>, { adminMail, timeZone }: Rendering) {
  const { Marca, Modelo } = autoOf(row)
  return {
    href: consultaHref(adminMail, row.sid),
    title: `${Marca} ${Modelo} (${dayOf(momentOf(row.sid), timeZone)})`,
  }
}

/** A page of inquiries as JSON, its entries in the negotiated form. */
export function serializeConsultas(
  { period, total, rows }: Page & { period: Period },
  query: ConsultasQuery,
  form: 'entry' | 'ref',
  rendering: Rendering,
): string {
  const { adminMail, timeZone } = rendering
  const serialize =
    form === 'ref'
      ? (row: Consulta) => JSON.stringify(consultaRef(row, rendering))
      : (row: Consulta) => serializeConsulta(row, rendering)
  const envelope = JSON.stringify({
    Desde: toTimestamp(period.first, timeZone),
    Hasta: toTimestamp(period.last, timeZone),
    Pagina: query.pagina ?? 1,
    Total: total,
    PerPagina: PER_PAGE,
    _links: listLinks(adminMail, query, total),
  })
  return `${envelope.slice(0, -1)},"_entries":[${rows.map(serialize).join(',')}]}`
}

/** The other pages keep the filters. There is always a last page, and none after page 99. */
function listLinks(adminMail: string, query: ConsultasQuery, total: number): Links {
  const { pagina = 1, operador, externalid, desde, hasta } = query
  const list = consultasHref(adminMail)
  const page = (pagina?: number) => link(withQuery(list, { operador, externalid, desde, hasta, pagina }))
  const last = Math.min(Math.max(1, Math.ceil(total / PER_PAGE)), LAST_PAGE)
  return {
    self: page(query.pagina),
    first: page(1),
    ...(pagina > 1 && { prev: page(Math.min(pagina - 1, last)) }),
    ...(pagina < last && { next: page(pagina + 1) }),
    last: page(last),
    buscar: link(`${list}?operador={operador}&externalid={externalid}&desde={desde}&hasta={hasta}&pagina={pagina}`),
    consulta: link(`${list}/{sid}`),
    agencia: link(`/v3/agencias/${segment(adminMail)}`),
  }
}
